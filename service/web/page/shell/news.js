/**
 * The player's own tables, live: whose turn it is elsewhere, and the seeds that have to be revealed.
 *
 * One tab of the browser follows `GET /v1/me/events`, whichever room it shows, and informs the others: a browser opens only
 * six connections to a host, and they are for tables. So a seed is revealed within the ten seconds that a table waits
 * for it, even if its player looks at something else.
 */
import { api } from '../kit/api.js';
import { titleOf } from '../kit/games.js';
import { revealSeeds } from '../kit/seeds.js';
import { session } from '../kit/session.js';
import { follow } from '../kit/stream.js';

const NAME = 'hoodwink.news';
const SETTLED_MS = 400;
const attention = () => import('./attention.js');

class News extends EventTarget {
  #tables = [];

  #token = null;

  #close = () => {};

  #channel = new BroadcastChannel(NAME);

  constructor() {
    super();
    session.addEventListener('change', () => this.#begin());
    window.addEventListener('popstate', () => this.refresh());
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.refresh(); });
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#begin();
  }

  /** The tables that wait for the player: `{table, title}`. */
  get waiting() {
    return this.#tables.filter(({ waits_since: since }) => since !== null)
      .map(({ id, game }) => ({ table: id, title: titleOf(game) }));
  }

  /** Asks which tables wait; the stream says when one begins to wait, but not when it no longer does. */
  refresh() {
    clearTimeout(this.settling);
    if (this.#token) this.settling = setTimeout(() => this.#ask(), SETTLED_MS);
  }

  async #ask() {
    const token = this.#token;
    const { tables } = await api.get('/v1/me/tables').catch(() => ({ tables: this.#tables }));
    if (token !== this.#token) return;
    this.#tables = tables;
    this.dispatchEvent(new Event('change'));
  }

  #begin() {
    const token = session.player?.token ?? null;
    if (token === this.#token) return;
    this.#token = token;
    clearTimeout(this.settling);
    this.#close();
    this.#close = () => {};
    this.#tables = [];
    this.dispatchEvent(new Event('change'));
    if (!token) return;
    this.refresh();
    this.#lead();
  }

  // Without locks (plain http from another machine) each tab that is looked at follows for itself.
  #lead() {
    const following = () => follow('/v1/me/events', { onMessages: (messages) => messages.forEach((each) => this.#tell(each)) });
    if (!navigator.locks) {
      this.#close = following();
      return;
    }
    const resigned = new AbortController();
    const held = new Promise((resolve) => { this.#close = () => { resigned.abort(); resolve(); }; });
    navigator.locks.request(NAME, { signal: resigned.signal }, async () => {
      const close = following();
      await held;
      close();
    }).catch(() => {}); // signed out while another tab led
  }

  #tell({ type, data }) {
    const told = { type, table: data.table ?? null, cup: data.tournament };
    // A channel does not deliver to the one that posts, so this tab hears it from the next line.
    this.#channel.postMessage(told);
    this.#hear(told);
    if (document.hidden) attention().then(({ isCall, call }) => { if (isCall(type)) call(told); });
    if (type === 'table_started') this.#reveal(told.table.id);
  }

  #hear(told) {
    if (document.hidden || told.cup) attention().then(({ isCall, mark }) => { if (isCall(told.type)) mark(told); });
    this.refresh();
    this.dispatchEvent(new CustomEvent('news', { detail: told }));
  }

  async #reveal(table) {
    const answer = await api.get(`/v1/tables/${table}`).catch(() => null);
    if (answer && session.player) revealSeeds(api, answer.view, session.player.id, answer.head);
  }
}

export const news = new News();
