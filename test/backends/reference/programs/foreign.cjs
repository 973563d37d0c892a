/** A file that a program preloads with `--require`. The threads of a device must not run it. */
throw new Error('a foreign file runs in the thread');
