/** The lobby: tables that wait for players, tables in play, and tables that are over, page by page. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { games, titleOf } from '../kit/games.js';
import { setQuery } from '../kit/router.js';
import { setTitle } from '../kit/words.js';
import { Listing, REFRESH_MS } from './listing.js';

const PAGE = 20;
const PHASES = [['open', 'Open'], ['playing', 'In play'], ['ended', 'Over']];

class Lobby extends Room {
  games = [];

  phase = '';

  game = '';

  listing = null;

  /** The cursors of the pages before this one. */
  earlier = [];

  enter() {
    setTitle('Tables');
    games().then((all) => this.set({ games: all }), () => {});
    this.listen(window, 'popstate', () => this.choose());
    this.every(REFRESH_MS, () => {
      if (this.phase !== 'ended' || this.listing.problem) this.listing.load();
    });
    this.choose();
  }

  /** Shows what the address asks for. */
  choose() {
    if (location.pathname !== '/tables') return; // the way out of this room
    const asked = new URLSearchParams(location.search);
    const phase = PHASES.find(([name]) => name === asked.get('phase'))?.[0] ?? 'open';
    const game = /^\w+$/.test(asked.get('game') ?? '') ? asked.get('game') : '';
    if (this.listing && phase === this.phase && game === this.game) return;
    this.set({ phase, game, earlier: [] });
    this.#turnTo(undefined);
  }

  #turnTo(cursor) {
    const { phase, game } = this;
    this.listing = new Listing({ phase, game, limit: PAGE, cursor }, () => this.update());
    this.listing.load();
    this.update();
  }

  template() {
    return html`
      <div class="page lobby">
        <h1>Tables</h1>
        <nav class="tabs" aria-label="Tables">${PHASES.map(([phase, name]) => html`
          <a href=${this.#address(phase)} aria-current=${phase === this.phase ? 'page' : nothing}
            >${name}</a>`)}</nav>
        <div class="filters">
          ${field({ id: 'lobby-game', label: 'Game', kind: 'choice', value: this.game,
            choices: [['', 'all games'], ...this.games.map(({ name, title }) => [name, title])],
            change: (game) => this.#filter(game) })}
          <a class="button" href=${this.game ? `/games/${this.game}` : '/'}>Open a table</a>
        </div>
        ${this.listing.template(this.#empty())}
        ${this.#pages()}
      </div>`;
  }

  #address(phase) {
    return `/tables?phase=${phase}${this.game ? `&game=${this.game}` : ''}`;
  }

  #filter(game) {
    setQuery({ game: game || null });
    this.choose();
  }

  #empty() {
    const { game, phase } = this;
    const kind = game ? `table of ${titleOf(game)}` : 'table';
    const way = game ? html`<a href="/games/${game}">Open one yourself</a>`
      : html`<a href="/">Choose a game</a> to open one`;
    if (this.earlier.length) return html`<p>There are no more tables.</p>`;
    if (phase === 'playing') return html`<p>No ${kind} in play is open to spectators. ${way}.</p>`;
    if (phase === 'ended') {
      return html`<p>No ${kind} has ended yet. Finished tables can be replayed here.</p>`;
    }
    return html`<p>No ${kind} is waiting for players. ${way}: invite friends, or play against bots. New tables
      appear here by themselves.</p>`;
  }

  #pages() {
    const { cursor, query } = this.listing;
    if (!cursor && !this.earlier.length) return nothing;
    const older = () => {
      this.earlier.push(query.cursor);
      this.#turnTo(cursor);
    };
    return html`
      <nav class="row-of-buttons" aria-label="Pages">
        <button ?disabled=${!this.earlier.length}
          @click=${() => this.#turnTo(this.earlier.pop())}>Newer</button>
        <button ?disabled=${!cursor} @click=${older}>Older</button>
      </nav>`;
  }
}

customElements.define('hw-lobby', Lobby);
