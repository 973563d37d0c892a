/** What a program preloads, and no thread of a device runs. */
throw new Error('a foreign file runs in the thread');
