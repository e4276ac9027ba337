/**
 * What one viewer may know of a table: its events in words, and the table at each version.
 *
 * A step must feel immediate, so a moment that was shown is kept, and those that probably follow are asked for
 * before they are wanted. A version never changes, except that people may rename themselves.
 */
import { api } from '../kit/api.js';

const PAGE = 1000;
const AT_ONCE = 4;
const MOST_KEPT = 2000;

/** @typedef {{version: number, type: string, at: number, words: string, data: object}} EventRecord */

export class Recording extends EventTarget {
  #path;

  #cursor;

  #reading = null;

  /** @type {Map<number, object>} answers by version, the least recently used first */
  #answers = new Map();

  #asked = new Map();

  #wishes = [];

  /**
   * @param {string} path such as `/v1/tables/ID`
   * @param {string} viewer `everybody`, `spectator` or a seat
   */
  constructor(path, viewer) {
    super();
    this.#path = path;
    this.viewer = viewer;
    /** @type {EventRecord[]} in order; those that the viewer may not know of are missing */
    this.events = [];
    /** Why the events could not be read, or why moments could not be, by version. */
    this.problem = null;
    this.problems = new Map();
    this.last = 0;
  }

  /** Reads all events that were stored since the last time. */
  read() {
    this.#reading ??= this.#pages().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #pages() {
    const query = { viewer: this.viewer, include: 'words', limit: PAGE };
    try {
      for (let more = true; more;) {
        const page = await api.get(`${this.#path}/events`, { query: { ...query, cursor: this.#cursor } });
        this.#cursor = page.cursor;
        more = page.more;
        this.problem = null;
        this.add(page.events, Number(page.cursor.split('-')[0]));
      }
    } catch (problem) {
      // The store was restored from an older copy: what was read may not have happened.
      if (problem.code === 'history_changed') this.#forget();
      this.problem = problem;
      this.#tell();
    }
  }

  /** Adds events, which may be known already, from a page or from a stream that has come to a version. */
  add(events, version = 0) {
    const known = new Set(this.events.map((event) => event.version));
    const fresh = events.filter((event) => !known.has(event.version));
    const inOrder = fresh.length && fresh[0].version < (this.events.at(-1)?.version ?? 0);
    this.events = [...this.events, ...fresh];
    if (inOrder) this.events.sort((one, other) => one.version - other.version);
    this.last = Math.max(this.last, version, this.events.at(-1)?.version ?? 0);
    this.#tell();
  }

  /** Returns the event of a version, unless it is hidden from the viewer or not read yet. */
  at(version) {
    return this.events.find((event) => event.version === version);
  }

  /** Returns the events after a version, up to another one. */
  between(from, to) {
    return this.events.filter(({ version }) => version > from && version <= to);
  }

  /** The versions at which each round begins: `{round, version}`. */
  get rounds() {
    const found = new Map();
    for (const { type, version, data } of this.events) {
      if (data.round && !type.startsWith('table.') && !found.has(data.round)) found.set(data.round, version);
    }
    return [...found].map(([round, version]) => ({ round, version }));
  }

  /** Returns the next version that the viewer may know of, in either direction; none beyond the ends. */
  beside(version, step) {
    if (step > 0) return this.events.find((event) => event.version > version)?.version;
    return this.events.findLast((event) => event.version < version)?.version;
  }

  /** Returns a version, those that follow in a direction, and the last two before: what is wanted soon. */
  near(version, direction, ahead) {
    const found = [version];
    for (const [way, most] of [[direction, ahead], [-direction, 2]]) {
      let next = this.beside(version, way);
      for (let count = 0; count < most && next !== undefined; count += 1) {
        found.push(next);
        next = this.beside(next, way);
      }
    }
    return found;
  }

  /** Returns the table at a version, if it is here already. */
  peek(version) {
    const answer = this.#answers.get(version);
    if (answer) {
      this.#answers.delete(version);
      this.#answers.set(version, answer);
    }
    return answer;
  }

  /** Keeps the table at a version that came another way. */
  keep(answer) {
    this.#answers.set(answer.version, answer);
    if (this.#answers.size > MOST_KEPT) this.#answers.delete(this.#answers.keys().next().value);
  }

  /** Asks for the table at these versions, the most urgent first, in place of what was wished for before. */
  want(versions) {
    this.#wishes = versions.filter((version) => version >= 1 && version <= this.last);
    this.#ask();
  }

  /** Resolves when the table at a version has arrived, or cannot be had. */
  async arrival(version) {
    while (!this.#answers.has(version) && !this.problems.has(version)) {
      await (this.#asked.get(version) ?? this.#fetch(version));
    }
  }

  #forget() {
    this.#cursor = undefined;
    this.#answers.clear();
    this.events = [];
  }

  #ask() {
    while (this.#asked.size < AT_ONCE && this.#wishes.length) {
      const version = this.#wishes.shift();
      if (!this.#answers.has(version) && !this.#asked.has(version)) this.#fetch(version);
    }
  }

  #fetch(version) {
    const query = { version, viewer: this.viewer };
    const asked = api.get(this.#path, { query }).then(
      (answer) => { this.keep(answer); this.problems.delete(version); },
      (problem) => { this.problems.set(version, problem); },
    ).finally(() => {
      this.#asked.delete(version);
      this.#ask();
      this.#tell();
    });
    this.#asked.set(version, asked);
    return asked;
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}
