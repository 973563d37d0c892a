/** What to do about what the doctor finds wrong. */
import type { ErrorFacts } from './trial.js';

const driver = "Install the latest driver of the adapter from its vendor's site or from Windows Update, and restart.";
const report =
  'If it stays, run npx node-directml conformance, and report what it prints: ' +
  'github.com/node-directml/node-directml/issues. Until then choose another adapter with createDevice({ adapter }).';
const reinstall = 'Install the package again on this machine: npm install node-directml';

/** By the code of an error, or by a name of the doctor's own. */
const remedies: Readonly<Record<string, string>> = {
  ERR_ADDON_NOT_FOUND: `${reinstall}. Do not leave out files when bundling: mark node-directml as external.`,
  ERR_DIRECTML_NOT_FOUND: reinstall,
  ERR_DIRECTML_NOT_A_DLL: `${reinstall}. A virus scanner may have changed the file.`,
  ERR_DIRECTML_TOO_OLD: reinstall,
  ERR_NO_ADAPTER: `${driver} A virtual machine or a container needs an adapter that its host shares with it.`,
  ERR_OUT_OF_MEMORY: 'Close other programs that use the adapter.',
  ERR_DEVICE_LOST: `The driver gave up. ${driver} ${report}`,
  ERR_NATIVE_CALL: `${driver} ${report}`,
  crash: `The driver probably crashed. ${driver} ${report}`,
  'wrong numbers': `${driver} ${report}`,
  'only software': `It computes on the CPU. If this machine has a GPU: ${driver}`,
  reference: reinstall,
  'no debug layer':
    'Only needed to look into errors: Settings, System, Optional features, Graphics Tools; the debug DLL of DirectML ' +
    '(DirectML.Debug.dll) is in its NuGet package.',
};

export function remedyFor({ code }: Pick<ErrorFacts, 'code'>): string {
  return remedies[code] ?? reinstall;
}
