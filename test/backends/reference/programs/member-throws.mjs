/** A thread of a thread pool that fails at once. */
throw new Error('thrown on purpose');
