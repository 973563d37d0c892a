/** What to do if DirectML.dll cannot be used. */
import type { ErrorCode } from '../../values/errors.js';

const changed = `The file may be cut off, changed by a virus scanner, or for another processor than ${process.arch}.`;
const named = 'Name another file in directmlPath, or leave the option out to get the DirectML.dll of this package.';
const reinstall = 'Install the package again on this machine: npm install node-directml';

/** The lines that an error of this code ends with. `isGiven` is true if the program names the file. */
export function dllAdvice(code: ErrorCode, isGiven: boolean): readonly string[] {
  const remedy = isGiven ? named : reinstall;
  switch (code) {
    case 'ERR_DIRECTML_NOT_A_DLL':
      return [changed, remedy];
    case 'ERR_DIRECTML_NOT_FOUND':
    case 'ERR_DIRECTML_TOO_OLD':
      return [remedy];
    default:
      return [];
  }
}
