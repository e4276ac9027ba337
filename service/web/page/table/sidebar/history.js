/** The events of a table, as this viewer may see them, with the service's sentences. */
import { api } from '../../kit/api.js';

/** A page of events; the service sends no more at a time. */
const PAGE = 500;
/** A longer table's earlier events are only in its replay. */
const MAX_PAGES = 8;

export class History {
  #table;

  #changed;

  #events = new Map();

  #sorted = null;

  #asked = false;

  /** The events of the newest message. */
  latest = [];

  /** Whether loading earlier events has ended, even with an error. */
  isLoaded = false;

  constructor(table, changed) {
    this.#table = table;
    this.#changed = changed;
  }

  /** All known events, in order. */
  get events() {
    this.#sorted ??= [...this.#events.values()].sort((one, other) => one.version - other.version);
    return this.#sorted;
  }

  /** Takes the events of a message; the first message makes it ask for what came before. */
  add(events) {
    this.latest = events;
    this.#keep(events);
    if (!this.#asked) {
      this.#asked = true;
      this.#load();
    }
  }

  clear() {
    this.isLoaded = false;
    this.#events = new Map();
    this.#sorted = null;
    this.#asked = false;
  }

  #keep(events) {
    for (const event of events) if (event.words || !this.#events.has(event.version)) this.#events.set(event.version, event);
    this.#sorted = null;
  }

  async #load() {
    const events = this.#events;
    let cursor;
    try {
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const answer = await api.get(`/v1/tables/${this.#table}/events`, { query: { include: 'words', limit: PAGE, cursor } });
        if (events !== this.#events) return; // from before a reset
        this.#keep(answer.events);
        cursor = answer.cursor;
        if (!answer.more) break;
      }
    } catch {
      if (events !== this.#events) return;
      this.#asked = false; // the next message asks again
    }
    this.isLoaded = true;
    this.#changed();
  }
}
