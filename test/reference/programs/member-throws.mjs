/** A thread of a crew that fails at once. */
throw new Error('thrown on purpose');
