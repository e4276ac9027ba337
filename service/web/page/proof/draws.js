/** All random draws of a table, from the key that the seeds determine. */

import { fingerprint, hex, hmac, utf8 } from './hashing.js';

const WORDS = 2 ** 32;

/** Returns an unshuffled pack; throws for more cards than any game takes, as only a forged log does. */
export function newPack(packs, jokers) {
  if (!(packs <= 3 && jokers <= 6)) throw new RangeError();
  const pack = [...'CDHS'].flatMap((suit) => [...'23456789TJQKA'].map((rank) => rank + suit));
  return [...Array(packs).fill(pack).flat(), ...Array(jokers).fill('JK')];
}

/** Joins the seeds as they count: the host's first, then those of the seats. */
export const joinedSeeds = (seeds) => seeds.map((seed) => `${utf8(seed).length}:${seed},`).join('');

export const drawKey = (serverSeed, seeds) => hmac(utf8(serverSeed), utf8(joinedSeeds(seeds)));

/** The random numbers of a key and a label, in order. */
export class Draw {
  #words = [];
  #block = 0;

  /** Takes a label such as `v2:seat:0` or `v2:deck:3`. */
  constructor(key, label) {
    Object.assign(this, { key, label });
  }

  async #word() {
    if (!this.#words.length) {
      const { buffer } = await hmac(this.key, utf8(`${this.label}:${this.#block++}`));
      for (let at = 0; at < 32; at += 4) this.#words.push(new DataView(buffer).getUint32(at));
    }
    return this.#words.shift();
  }

  /** Returns the next number below the bound, without bias. */
  async below(bound) {
    let word;
    do word = await this.#word();
    while (word >= WORDS - (WORDS % bound));
    return word % bound;
  }

  /** Returns the items shuffled; index 0 is the top of a deck. */
  async shuffled(items) {
    const cards = [...items];
    for (let last = cards.length - 1; last > 0; last -= 1) {
      const other = await this.below(last + 1);
      [cards[last], cards[other]] = [cards[other], cards[last]];
    }
    return cards;
  }
}

/** Returns what follows from a tournament's server seed for one of its tables. */
export async function tournamentTable(serverSeed, { tournament, round, board, deal }) {
  const label = `table:${round}:${board}${deal > 1 ? `:${deal}` : ''}`;
  return {
    table: (await fingerprint(`${tournament}:${round}:${board}:${deal}`)).slice(0, 20),
    server_seed: hex(await hmac(utf8(serverSeed), utf8(label))),
  };
}

/** Returns the key of a deal that all tables of a round share, from the tournament's server seed and entrants' seeds. */
export async function sharedKey(serverSeed, seeds, { round, deal }) {
  const secret = hex(await hmac(utf8(serverSeed), utf8(`deal:${round}:${deal}`)));
  return hex(await drawKey(secret, seeds));
}
