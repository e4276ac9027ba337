/** The first room: the games, the player's waiting tables, and tables of others. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { games } from '../kit/games.js';
import { session } from '../kit/session.js';
import { firstPicture, tableOf } from '../kit/pictures.js';
import { failure, seatsInWords, setTitle } from '../kit/words.js';
import { news } from '../shell/news.js';
import { Listing, REFRESH_MS, isOwn } from './listing.js';
import { playNow } from './play_now.js';

const MAX_TABLES = 4;
const MAX_WAITING = 3;
const PLACES = 5;

class Home extends Room {
  games = null;

  problem = null;

  /** Whether *Play now* is under way, and why it failed. */
  going = false;

  refused = '';

  open = new Listing({ phase: 'open', limit: MAX_TABLES }, () => this.update());

  playing = new Listing({ phase: 'playing', company: 'people', limit: MAX_TABLES }, () => this.update());

  enter() {
    setTitle('');
    this.listen(news, 'change', () => this.update());
    this.listen(session, 'change', () => this.update());
    this.load();
    this.look();
    this.every(REFRESH_MS, () => this.look());
  }

  async load() {
    this.set({ problem: null });
    try {
      this.set({ games: await games() });
    } catch (problem) {
      this.set({ problem });
    }
  }

  look() {
    this.open.load();
    this.playing.load();
  }

  template() {
    return html`
      <div class="page home">
        <section class="opening">
          <div>
            <h1>Play your cards half blind</h1>
            <p>Card games in which the others know something that you do not. <span>No account, no cost,
              and every shuffle can be proved fair.</span></p>
            ${this.games ? playNow(this) : html`<p class="play-now"></p>`}
            ${session.player ? this.#waiting() : nothing}
          </div>
          ${firstPicture()}
        </section>
        ${this.problem ? failure(this.problem, () => this.load()) : nothing}
        <section aria-label="Games">
          <ul class="games">${this.games?.map(gameCard) ?? Array.from({ length: PLACES }, place)}</ul>
        </section>
        ${this.games ? this.#tables() : nothing}
      </div>`;
  }

  // Drawn from the beginning, because its tables arrive after the page and must not move what is below.
  #waiting() {
    const { waiting } = news;
    const links = waiting.slice(0, MAX_WAITING)
      .map(({ table, title }) => html`<a class="button" href="/tables/${table}">${title}</a>`);
    return html`<p class="waiting"><a href="/me/tables">My tables</a>
      ${links.length ? html`<span>Your turn:</span> ${links}` : nothing}</p>`;
  }

  #tables() {
    return html`
      <div class="columns">
        <section>
          <h2>Take a seat</h2>
          ${this.open.template(html`<p>No table is waiting for players just now. Choose a game above to open
            one, or play against bots.</p>`)}
          <p><a href="/tables">All open tables</a></p>
        </section>
        <section>
          <h2>Look over a shoulder</h2>
          ${this.playing.template(html`<p>Nobody plays in public just now.</p>`, (table) => !isOwn(table))}
          <p><a href="/tables?phase=playing">All tables in play</a></p>
        </section>
      </div>
      <p class="small">Everything on this page goes through a public HTTP API, which is open to
        <a href="/docs">clients and bots of your own</a>. You can
        <a href="/replay">replay and check</a> the log of any table, even one from another service.</p>`;
  }
}

const gameCard = ({ name, title, tagline, seats, minutes }) => html`
  <li class="game">
    ${tableOf(name)}
    <div class="about">
      <h2>${title}</h2>
      <p>${tagline}</p>
      <p class="small">${seatsInWords(seats)} · ${minutes.shortest}–${minutes.longest} min</p>
    </div>
    <p class="row-of-buttons">
      <a class="button main" href="/games/${name}" aria-label="Play ${title}">Play</a>
      <a href="/learn/${name}" aria-label="Learn ${title}">Learn</a>
      <a href="/rules/${name}" aria-label="Rules of ${title}">Rules</a>
    </p>
  </li>`;

const place = () => html`<li class="game coming" aria-hidden="true"></li>`;

customElements.define('hw-home', Home);
