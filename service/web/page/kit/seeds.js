/**
 * The seeds that a player, host or entrant contributes to the shuffles (docs/FAIRNESS.md). This browser draws and
 * stores a seed, commits to it, and reveals it after the start. A reload at any time loses none.
 *
 * @typedef {'seat'|'host'|'entrant'} Role
 * @typedef {{role: Role, seed: string, commitment: string, key: string, isRevealed?: boolean}} Seed
 */

import { fingerprint, randomSeed } from '../proof/hashing.js';

const PREFIX = 'hoodwink.seed.';
const DRAWN = `${PREFIX}drawn`; // prepared seeds, stored before the service answers in case the page is reloaded
const MAX_SEEDS = 8; // of one role at one table, for a player who leaves and comes back
const KEPT_MS = 30 * 24 * 3_600_000;
const REVEAL_MS = 10_000;

const keyOf = (id, role) => `${PREFIX}${id}.${role}`;

/** Returns the stored value, or null if there is none or the browser refuses storage. */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify({ ...value, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

const seedsIn = (key) => read(key)?.seeds ?? [];

function add(key, seed) {
  const others = seedsIn(key).filter(({ commitment }) => commitment !== seed.commitment);
  return write(key, { seeds: [...others, seed].slice(-MAX_SEEDS) });
}

function removeOld() {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX) && !(read(key)?.at > Date.now() - KEPT_MS)) localStorage.removeItem(key);
  }
}

/**
 * Draws a seed to commit to.
 * @returns {Promise<Seed|null>} null if the browser refuses storage: then sit down without a seed, because everybody
 *   would have to wait for a seed that is lost
 */
export async function prepareSeed() {
  const seed = randomSeed();
  // `key` is the idempotency key of the request to reveal it, the same in every tab and after a reload.
  const prepared = { seed, commitment: await fingerprint(seed), key: randomSeed() };
  if (!add(DRAWN, prepared)) return null;
  removeOld();
  return prepared;
}

/**
 * Stores a prepared seed under its table or tournament, once the service has its commitment.
 * @param {string} id of the table, or of an entrant's tournament
 * @param {Role} role
 * @param {Seed} prepared
 * @returns {boolean} whether it could be stored
 */
export const keepSeed = (id, role, prepared) => add(keyOf(id, role), { ...prepared, role });

/** Stores the head of the first answer after the table started, to compare it with the log. */
export function keepHead(id, { version, head, commitment }) {
  const key = keyOf(id, 'head');
  return read(key) !== null || write(key, { version, head, commitment });
}

/**
 * Returns the stored head and seeds of a table, for `verify` of proof/verify.js.
 * @returns {{version?: number, head?: string, commitment?: string, seeds: Seed[]}|null}
 */
export function keptFor(id, tournament = '') {
  const head = read(keyOf(id, 'head'));
  const keys = [keyOf(id, 'seat'), keyOf(id, 'host'), keyOf(tournament, 'entrant')];
  const seeds = keys.flatMap(seedsIn);
  return head || seeds.length ? { ...head, seeds } : null;
}

/**
 * Returns our seeds that a table or tournament waits for.
 * @param {object} view
 * @param {string} me a player's id
 * @returns {Seed[]}
 */
export function seedsToReveal(view, me) {
  return awaited(view, me).flatMap(([role, commitment]) => {
    const kept = [...seedsIn(keyOf(view.id, role)), ...seedsIn(DRAWN)];
    const found = kept.find((seed) => seed.commitment === commitment);
    return found ? [{ ...found, role }] : [];
  });
}

/** Returns the role and the commitment of each of our seeds that is awaited. */
function awaited({ entrants, call, phase, seats, host, ...view }, me) {
  if (entrants) {
    const mine = entrants.filter(({ id }) => id === me && call?.awaited.includes(id));
    return mine.map((entrant) => ['entrant', entrant.seed_commitment]);
  }
  if (phase !== 'playing') return [];
  const mine = seats.filter((seat) => seat.player === me && seat.seed_status === 'committed');
  const isHosts = host === me && view.host_seed_status === 'committed';
  return [
    ...mine.map((seat) => ['seat', seat.seed_commitment]),
    ...(isHosts ? [['host', view.host_seed_commitment]] : []),
  ];
}

const pending = new Map();

/**
 * Reveals our seeds that a table or tournament waits for, and retries until the service answers or it is too late. It
 * may be called with every view and in every tab: the service takes each seed once.
 * @param {{post: Function}} api of kit/api.js
 * @param {object} view
 * @param {string} me a player's id
 * @param {string|null} [head] the head that came with the view; it is stored before anything is revealed
 * @returns {Promise<{role: Role, isRevealed: boolean}[]>} never rejects
 */
export function revealSeeds(api, view, me, head = null) {
  const seeds = seedsToReveal(view, me);
  const isTable = !view.entrants;
  if (seeds.length && head && isTable) keepHead(view.id, { ...view, head });
  const path = `/v1/${isTable ? 'tables' : 'tournaments'}/${view.id}/seed`;
  return Promise.all(
    seeds.map(async (seed) => {
      const { role, key } = seed;
      if (!pending.has(key)) pending.set(key, reveal(api, path, seed).finally(() => pending.delete(key)));
      const isRevealed = await pending.get(key);
      if (isRevealed) add(keyOf(view.id, role), { ...seed, isRevealed });
      return { role, isRevealed };
    }),
  );
}

async function reveal(api, path, { seed, key }) {
  const until = performance.now() + REVEAL_MS;
  for (let pause = 250; performance.now() < until; pause *= 2) {
    try {
      await api.post(path, { seed }, { key });
      return true;
    } catch (problem) {
      const { status, code } = Object(problem);
      if (code === 'already_revealed') return true;
      if (status >= 400 && status < 500 && status !== 429) return false;
    }
    await new Promise((resume) => setTimeout(resume, pause));
  }
  return false;
}
