// The angles by which a decoder of the Llama family rotates queries and keys, so that their products depend on distances.

/** @typedef {import('./model.mjs').Config} Config */

/**
 * Cosines [positions, headSize / 2], and sines [positions, headSize] of which the first half of each row is negative.
 * @param {import('node-directml').Device} device @param {'float32' | 'float16'} dataType @param {Config} config
 * @param {number} positions
 */
export function rotationTables(device, dataType, config, positions) {
  const half = config.headSize / 2;
  const frequencies = Array.from({ length: half }, (_, i) => scaled(config.theta ** (-i / half), config.scaling));
  const angles = (/** @type {number} */ i) => (frequencies[i % half] ?? 0) * Math.floor(i / half);
  const cos = Array.from({ length: positions * half }, (_, i) => Math.cos(angles(i)));
  const sin = Array.from({ length: positions * 2 * half }, (_, i) => {
    const [position, place] = [Math.floor(i / (2 * half)), i % (2 * half)];
    const value = Math.sin(angles(position * half + (place % half)));
    return place < half ? -value : value;
  });
  return {
    cos: device.createTensor({ dataType, sizes: [positions, half] }, cos),
    sin: device.createTensor({ dataType, sizes: [positions, 2 * half] }, sin),
  };
}

/** The frequency in models that were made for long texts: low ones are divided by a factor, with a smooth passage. */
function scaled(/** @type {number} */ frequency, /** @type {Config['scaling']} */ scaling) {
  if (scaling === null) return frequency;
  const { factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: length } = scaling;
  const turns = (length * frequency) / (2 * Math.PI);
  const part = Math.min(1, Math.max(0, (turns - low) / (high - low)));
  return (frequency / factor) * (1 - part) + frequency * part;
}
