/** The hash chain: each event is hashed with a key, its fields, and the hash before it. */

import { hex, sha256, utf8 } from './hashing.js';

export const chainKey = (serverSeed) => sha256(utf8(`hoodwink chain v1:${serverSeed}`));

/** @param {Uint8Array} key @param {string} previous the hash before it, empty for the first event */
export async function chainHash(key, previous, { version, type, at, by, cmd, data }) {
  const text = utf8(`${previous}\n${version}\n${type}\n${at}\n${by}\n${cmd}\n${data}`);
  const bytes = new Uint8Array(key.length + text.length);
  bytes.set(key);
  bytes.set(text, key.length);
  return hex(await sha256(bytes));
}

/** Returns the first entry whose hash does not follow, if any. */
export async function firstBreak(entries, serverSeed, breathe) {
  const key = await chainKey(serverSeed);
  const hashed = (entry, i) => chainHash(key, i ? entries[i - 1].hash : '', entry);
  // Each hash needs only the recorded hash before it, so many can be computed at the same time.
  for (let from = 0; from < entries.length; from += 64) {
    const batch = entries.slice(from, from + 64);
    const hashes = await Promise.all(batch.map((entry, i) => hashed(entry, from + i)));
    const broken = batch.find((entry, i) => entry.hash !== hashes[i]);
    if (broken) return broken;
    await breathe();
  }
  return undefined;
}
