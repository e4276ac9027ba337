/** The header of every room: links to the other rooms, the player, and news of the player's other tables. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { session } from '../kit/session.js';
import { count } from '../kit/words.js';
import { news } from './news.js';

const ROOMS = [
  ['/', 'Play'],
  ['/tables', 'Tables'],
  ['/tournaments', 'Tournaments'],
  ['/leaderboards', 'Leaderboards'],
  ['/rules', 'Rules'],
];

/** Rooms without the note: they list waiting tables themselves, or are tables, where it would cover the cards. */
const WITHOUT_NOTE = /^\/($|me\/tables|tables\/)/;

class Header extends Room {
  /** Waiting tables whose note has been dismissed. */
  #dismissed = new Set();

  enter() {
    this.listen(session, 'change', () => { dress(); this.update(); });
    this.listen(news, 'change', () => this.#hear());
    this.listen(window, 'popstate', () => this.update());
    this.listen(window, 'online', () => this.update());
    this.listen(window, 'offline', () => this.update());
    dress();
  }

  template() {
    const here = location.pathname;
    const waiting = news.waiting.filter(({ table }) => here !== `/tables/${table}`);
    const untold = waiting.filter(({ table }) => !this.#dismissed.has(table));
    return html`
      <header>
        <a class="brand" href="/" aria-label="Hoodwink, first page"><svg viewBox="0 0 32 32" aria-hidden="true">
          <rect x="7" y="2" width="18" height="28" rx="3"></rect><path d="M2 12q14 6 28 0v6q-14 6-28 0z"></path>
        </svg><span>Hoodwink</span></a>
        <nav aria-label="Rooms">
          ${ROOMS.map(([path, name]) => html`<a href=${path} aria-current=${isIn(here, path) ? 'page' : nothing}>${name}</a>`)}
        </nav>
        <nav aria-label="You" class="you">
          ${session.player ? html`
            <a href="/me/tables" aria-current=${here === '/me/tables' ? 'page' : nothing}>My tables${
              waiting.length ? html` <b class="badge">${waiting.length}<span class="unseen"> waiting for you</span></b>` : nothing}</a>`
            : nothing}
          <a href="/me" aria-current=${here === '/me' ? 'page' : nothing}>${session.player?.name ?? 'Settings'}</a>
        </nav>
      </header>
      ${navigator.onLine ? nothing : html`<p class="offline" role="status">
        This device is offline. The page may be out of date; it reconnects by itself.</p>`}
      ${untold.length && !WITHOUT_NOTE.test(here) ? html`<p class="turns" role="status">
        <span>Your turn at <a href="/tables/${untold[0].table}">${untold[0].title}</a>${
    untold.length > 1 ? html` and <a href="/me/tables">${count(untold.length - 1, 'other table')}</a>` : nothing}.</span>
        <button class="plain" @click=${() => this.#dismiss()}>Dismiss</button></p>` : nothing}`;
  }

  #hear() {
    this.#dismissed = this.#dismissed.intersection(new Set(news.waiting.map(({ table }) => table)));
    this.update();
  }

  // Until it is the player's turn there again.
  #dismiss() {
    this.#dismissed = new Set(news.waiting.map(({ table }) => table));
    this.update();
  }
}

const isIn = (here, path) => (path === '/' ? here === '/' || here.startsWith('/games') : here.replace('series', 'tournaments').startsWith(path));

/** Applies the player's wishes about theme, deck and motion to the document. */
function dress() {
  const { theme, deck, motion } = session.preferences;
  for (const [name, value] of Object.entries({ theme, deck, motion })) {
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  }
}

customElements.define('hw-header', Header);
