/**
 * Replaces the engine's ArrayBuffer constructor by one that keeps each buffer, then loads the addon. Reads 256 MiB, and transfers
 * the memory of all kept buffers meanwhile. Writes one line of JSON. Needs its own process, because a loaded addon stays loaded.
 */
const Original = ArrayBuffer;
/** @type {ArrayBuffer[]} */
const kept = [];
function Replacement(/** @type {number} */ size, /** @type {object} */ options) {
  const made = Reflect.construct(Original, [size, options]);
  kept.push(made);
  return made;
}
Replacement.prototype = Original.prototype;
Object.defineProperty(Original.prototype, 'constructor', { value: Replacement, configurable: true, writable: true });

const { loadAddon } = await import('#lib/backends/directml/addon.js');
const { binding, directory } = loadAddon();
const device = await binding.createDevice({ addonDirectory: directory });
const size = 256 * 2 ** 20;
const buffer = device.createBuffer(size);
device.write(buffer, 0, Uint8Array.of(1, 2, 3, 4));
device.write(buffer, size - 4, Uint8Array.of(5, 6, 7, 8));
const read = device.read(buffer, 0, size);
const made = kept.length;
for (const memory of kept) structuredClone(memory, { transfer: [memory] });
const bytes = new Uint8Array((await read).bytes);
device.dispose();
process.stdout.write(`${JSON.stringify({ made, bytes: [...bytes.slice(0, 4), ...bytes.slice(-4)] })}\n`);
