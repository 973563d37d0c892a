/**
 * A program that tries a device and prints a {@link TrialResult} as JSON. The doctor runs it as a process of its own: a driver that
 * crashes then ends only that process, and the debug layer, which holds for a whole process, only changes that one.
 */
import { tryDevice } from './trial.js';

const [luid = '', debug] = process.argv.slice(2);
void tryDevice({ backend: 'directml', adapter: luid, debug: debug === 'debug' }).then((result) =>
  process.stdout.write(JSON.stringify(result)),
);
