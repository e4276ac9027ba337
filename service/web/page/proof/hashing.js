/** SHA-256 and HMAC over bytes, fingerprints of texts, and random seeds. */

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// Over plain http from another machine a browser has no WebCrypto, only random numbers.
const web = () => globalThis.crypto.subtle;
const own = () => import('./sha256.js');

/** @param {Uint8Array} data @returns {Promise<Uint8Array>} */
export async function sha256(data) {
  return web() ? new Uint8Array(await web().digest('SHA-256', data)) : (await own()).sha256(data);
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Promise<Uint8Array>} HMAC-SHA256 */
export async function hmac(key, message) {
  if (!web()) return (await own()).hmac(key, message);
  const imported = await web().importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await web().sign('HMAC', imported, message));
}

/** Returns the SHA-256 of a text as hex: the commitment to it. */
export const fingerprint = async (text) => hex(await sha256(utf8(text)));

/** Returns 256 random bits as hex. */
export const randomSeed = () => hex(crypto.getRandomValues(new Uint8Array(32)));
