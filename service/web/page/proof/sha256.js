/** SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for pages without WebCrypto. */

const ROOTS = []; // 32 bits of the fractions of the cube roots of the first 64 primes
const START = []; // and of the square roots of the first eight

const fraction = (root) => (root % 1) * 2 ** 32;

for (let number = 2; ROOTS.length < 64; number += 1) {
  let factor = 2;
  while (number % factor) factor += 1;
  if (factor < number) continue;
  START.push(fraction(Math.sqrt(number)));
  ROOTS.push(fraction(Math.cbrt(number)) | 0);
}

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** Spreads a block of 64 bytes to 64 words. */
function spread(view, offset, words) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const early = words[i - 15];
    const late = words[i - 2];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
}

/** Adds a block to the state. */
function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const next = (h + high + ((e & f) ^ (~e & g)) + ROOTS[i] + words[i]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const last = (next + low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + next) | 0, c, b, a, last];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** @param {Uint8Array} data @returns {Uint8Array} 32 bytes */
export function sha256(data) {
  // A bit, zeros, and the length in bits fill the last block.
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, data.length / 2 ** 29);
  view.setUint32(padded.length - 4, data.length * 8);
  const state = Uint32Array.from(START.slice(0, 8));
  const words = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    spread(view, offset, words);
    compress(state, words);
  }
  state.forEach((word, i) => view.setUint32(4 * i, word));
  return padded.slice(0, 32);
}

/** @param {Uint8Array} key @param {Uint8Array} message @returns {Uint8Array} */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(new Uint8Array([...block.map((byte) => byte ^ 0x36), ...message]));
  return sha256(new Uint8Array([...block.map((byte) => byte ^ 0x5c), ...inner]));
}
