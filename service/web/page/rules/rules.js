/** The rules of the games, as the service has them, with an address for every rule. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { gameInfo, games } from '../kit/games.js';
import { inline, plain } from '../text/inline.js';
import { draw, parse } from '../text/markdown.js';
import { tableOf } from '../kit/pictures.js';
import { style } from '../kit/router.js';
import { failure, loading, seatsInWords, setTitle } from '../kit/words.js';
import { optionsOf } from './options.js';

const chain = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M7 9a3 3 0 0 0 4.500 0l2-2A3 3 0 0 0 9
  2.500l-1 1M9 7a3 3 0 0 0-4.500 0l-2 2A3 3 0 0 0 7 13.500l1-1"></path></svg>`;

const linkTo = (page) => (id, name) => html`
  <a class="anchor" href="${page}#${id}" aria-label="Link to ${name}">${chain}</a>`;

/**
 * The rules of a game without their title, to be put into a page, a <dialog> or an <aside>.
 *
 * @param {object} game as `GET /v1/games/{game}` describes it
 * @param {{prefix?: string, below?: number, links?: boolean}} options `prefix` begins each id, so that it is
 *   not one of the page around it; `below` is how many levels the headings are lower; `links` shows each rule's
 *   own link
 */
export function rulesOf(game, { prefix = '', below = 0, links = false } = {}) {
  const parts = parse(game.rules).filter(({ kind, level }) => !(kind === 'heading' && level === 1));
  const link = links ? linkTo(`/rules/${game.name}`) : undefined;
  const hasOptions = parts.some(({ kind, text }) => kind === 'heading' && /^options$/i.test(text));
  return html`<div class="prose">${draw(parts, { prefix, below, link })}
    ${hasOptions ? nothing : optionsOf(game, { prefix, below, link })}</div>`;
}

class Rules extends Room {
  game = null;

  games = null;

  problem = null;

  enter() {
    setTitle('Rules');
    this.listen(window, 'popstate', () => this.point());
    this.listen(window, 'hashchange', () => this.point());
    this.load();
  }

  async load() {
    const name = this.getAttribute('game');
    this.set({ problem: null });
    try {
      if (name) {
        this.set({ game: await gameInfo(name) });
        setTitle(`Rules of ${this.game.title}`);
        queueMicrotask(() => this.point());
      } else {
        const [all] = await Promise.all([games(), style('home')]); // for the pictures
        this.set({ games: all });
      }
    } catch (problem) {
      this.set({ problem });
    }
  }

  /** Marks the rule that the address names, and shows it. */
  point() {
    this.querySelector('.pointed')?.classList.remove('pointed');
    const id = decodeURIComponent(location.hash.slice(1));
    const rule = id && this.querySelector(`#${CSS.escape(id)}`);
    if (!rule) return;
    rule.classList.add('pointed');
    rule.tabIndex = -1;
    rule.focus({ preventScroll: true });
    rule.scrollIntoView({ block: 'center' });
  }

  template() {
    const { problem } = this;
    if (problem?.status === 404) return html`<div class="page">${nowhere}</div>`;
    if (problem) return html`<div class="page">${failure(problem, () => this.load())}</div>`;
    if (this.games) return everyGame(this.games);
    return this.game ? one(this.game) : loading('Loading the rules');
  }
}

const nowhere = html`<h1>There is no such game</h1><p><a href="/rules">All rules</a></p>`;

const everyGame = (games) => html`
  <div class="page rules-room">
    <h1>Rules</h1>
    <p>Each game on a page, with an example and all its options. Every rule has its own link, which you can
      send to a friend who remembers it differently.</p>
    <ul class="every-game">${games.map(({ name, title, aim, seats }) => html`
      <li>
        ${tableOf(name)}
        <div>
          <h2><a href="/rules/${name}">${title}</a></h2>
          <p class="small">${seatsInWords(seats)}</p>
          <p>${inline(aim)}</p>
        </div>
      </li>`)}</ul>
  </div>`;

function one(game) {
  const sections = parse(game.rules).filter(({ kind, level }) => kind === 'heading' && level === 2);
  return html`
    <div class="page rules-room with-contents">
      <h1>${game.title}</h1>
      <nav class="contents" aria-label="Contents">
        <ul>${sections.map(({ id, text }) => html`<li><a href="#${id}">${plain(text)}</a></li>`)}</ul>
        <p class="row-of-buttons">
          <a class="button main" href="/games/${game.name}" aria-label="Play ${game.title}">Play</a>
          <a class="button" href="/learn/${game.name}">Learn by playing</a>
        </p>
        <p class="small"><a href="/rules">Rules of the other games</a></p>
      </nav>
      ${rulesOf(game, { links: true })}
    </div>`;
}

customElements.define('hw-rules', Rules);
