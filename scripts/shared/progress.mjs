// @ts-check
// Shows on a terminal what a script is doing, and for how long.
import yoctoSpinner from 'yocto-spinner';

/**
 * Runs work that may take long. Shows nothing if stderr is not a terminal. Output of the work itself goes to lines of its own.
 * @template T
 * @param {string} title such as `compiling lib/`
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showing(title, work) {
  const { stderr } = process;
  if (!stderr.isTTY) return work();
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(0)} s`;
  // A signal ends this process as it would without the spinner.
  const spinner = yoctoSpinner({ text: `${title}…`, stream: stderr, handleSignals: false }).start();
  const clock = setInterval(() => (spinner.text = `${title}… ${seconds()}`), 1000);
  try {
    const result = await work();
    spinner.success(`${title}: ${seconds()}`);
    return result;
  } catch (error) {
    spinner.error(`${title} failed`);
    throw error;
  } finally {
    clearInterval(clock);
  }
}
