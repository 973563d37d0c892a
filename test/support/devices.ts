/** The backends to run a test on: the reference everywhere, and the real DirectML on Windows. */
export const backends: readonly ('reference' | 'directml')[] =
  process.platform === 'win32' ? ['reference', 'directml'] : ['reference'];
