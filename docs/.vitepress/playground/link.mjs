// @ts-check
// A program as the fragment of an address: deflated, in base64url. The server never sees it.

const format = 'deflate-raw';

export async function fragmentOf(/** @type {string} */ code) {
  const bytes = await through(new CompressionStream(format), new TextEncoder().encode(code));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `#${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The program; null if the fragment holds none. */
export async function programIn(/** @type {string} */ fragment) {
  if (!/^#[\w-]+$/.test(fragment)) return null;
  try {
    const text = atob(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(await through(new DecompressionStream(format), bytes));
  } catch {
    return null;
  }
}

/**
 * @param {ReadableWritablePair<Uint8Array, BufferSource>} stream
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
