/**
 * One viewer's record of a table: its events in words, and the table at each version.
 *
 * Steps must feel immediate, so shown moments are cached and likely next ones are prefetched. A version never
 * changes, except for player names.
 */
import { api } from '../kit/api.js';

const PAGE = 1000;
const AT_ONCE = 4;
const MAX_CACHED = 2000;

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
    /** @type {EventRecord[]} in order; without those hidden from the viewer */
    this.events = [];
    /** Why the events could not be read; `problems` has the reasons for moments, by version. */
    this.problem = null;
    this.problems = new Map();
    this.last = 0;
  }

  /** Reads all events since the last call. */
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
      // The store was restored from an older backup, so events read before may no longer exist.
      if (problem.code === 'history_changed') this.#forget();
      this.problem = problem;
      this.#tell();
    }
  }

  /** Adds events from a page or stream, ignoring duplicates; `version` is how far the source has read. */
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

  /** The first version of each round: `{round, version}`. */
  get rounds() {
    const found = new Map();
    for (const { type, version, data } of this.events) {
      if (data.round && !type.startsWith('table.') && !found.has(data.round)) found.set(data.round, version);
    }
    return [...found].map(([round, version]) => ({ round, version }));
  }

  /** The next visible version in a direction, or undefined past the ends. */
  adjacent(version, step) {
    if (step > 0) return this.events.find((event) => event.version > version)?.version;
    return this.events.findLast((event) => event.version < version)?.version;
  }

  /** Versions to prefetch: this one, those ahead and two behind. */
  near(version, direction, ahead) {
    const found = [version];
    for (const [way, most] of [[direction, ahead], [-direction, 2]]) {
      let next = this.adjacent(version, way);
      for (let count = 0; count < most && next !== undefined; count += 1) {
        found.push(next);
        next = this.adjacent(next, way);
      }
    }
    return found;
  }

  /** The cached table at a version, marked as recently used. */
  peek(version) {
    const answer = this.#answers.get(version);
    if (answer) {
      this.#answers.delete(version);
      this.#answers.set(version, answer);
    }
    return answer;
  }

  keep(answer) {
    this.#answers.set(answer.version, answer);
    if (this.#answers.size > MAX_CACHED) this.#answers.delete(this.#answers.keys().next().value);
  }

  /** Replaces the prefetch queue with these versions, most urgent first. */
  want(versions) {
    this.#wishes = versions.filter((version) => version >= 1 && version <= this.last);
    this.#ask();
  }

  /** Resolves when a version has loaded or failed. */
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
