/** `/leaderboards` and `/leaderboards/<game>`: players ranked by rating, with its uncertainty. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { games, titleOf } from '../kit/games.js';
import { setQuery } from '../kit/router.js';
import { session } from '../kit/session.js';
import { count, failure, loading, setTitle } from '../kit/words.js';
import { change, decimal, estimate, range, scaleInWords, scaleOf, tabular } from './figures.js';
import { person } from './names.js';
import { Pages, paged } from './pages.js';

const TOP = 5;
const FILTERS = { of: 'people', provisional: 'hide', idle: 'hide' };

class Leaderboards extends Room {
  get game() {
    return this.getAttribute('game');
  }

  enter() {
    setTitle('Leaderboards');
    this.listen(session, 'change', () => (this.game ? this.loadMine() : this.update()));
    this.listen(window, 'popstate', () => this.load());
    this.load();
  }

  async load() {
    const asked = new URLSearchParams(location.search);
    if (!location.pathname.startsWith('/leaderboards')) return;
    const filters = Object.fromEntries(
      Object.entries(FILTERS).map(([name, usual]) => [name, asked.get(name) ?? usual]));
    if (this.pages && !this.problem && JSON.stringify(filters) === JSON.stringify(this.filters)) return;
    this.set({ filters, problem: null, mine: null });
    if (this.game) this.loadBoard();
    try {
      this.set({ games: await games() });
      if (this.game) setTitle(`${this.titleOf(this.game)}: leaderboard`);
      else await this.loadTops();
    } catch (problem) {
      this.set({ problem });
    }
  }

  loadBoard() {
    const path = `/v1/leaderboards/${this.game}`;
    this.pages = new Pages(async (cursor) => {
      const { leaders, ...more } = await api.get(path, { query: { ...this.filters, cursor, limit: 200 } });
      return { rows: leaders, ...more };
    }, () => this.update(), 50);
    this.pages.more();
    this.loadMine();
  }

  // Players come for their own rating, which may not be on the first page.
  async loadMine() {
    const id = session.player?.id;
    const found = id && await api.get(`/v1/players/${id}/ratings`).catch(() => null);
    if (id === session.player?.id) this.set({ mine: found?.ratings.find(({ game }) => game === this.game) });
  }

  async loadTops() {
    const tops = await Promise.all(this.games.map(({ name }) => (
      api.get(`/v1/leaderboards/${name}`, { query: { limit: TOP } }))));
    this.set({ tops: tops.map(({ leaders }) => leaders) });
  }

  titleOf(name) {
    return this.games?.find((game) => game.name === name)?.title ?? titleOf(name);
  }

  choose(changes) {
    const usual = (name, value) => (value === FILTERS[name] ? null : value);
    setQuery(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, usual(name, value)])));
    this.load();
  }

  template() {
    const here = (name) => (name === this.game ? 'page' : nothing);
    return html`
      <section class="page players">
        <h1>${this.game ? `${this.titleOf(this.game)}: leaderboard` : 'Leaderboards'}</h1>
        ${this.problem ? failure(this.problem, () => this.load()) : nothing}
        <nav class="tabs" aria-label="Leaderboards">
          <a href="/leaderboards" aria-current=${this.game ? nothing : 'page'}>All games</a>
          ${(this.games ?? []).map(({ name, title }) => html`
            <a href="/leaderboards/${name}" aria-current=${here(name)}>${title}</a>`)}
        </nav>
        ${this.game ? this.board() : this.overview()}
      </section>`;
  }

  overview() {
    if (!this.tops) return this.problem ? nothing : loading('Loading the leaderboards');
    return html`
      <p>${ranking}</p>
      <div class="columns">${this.games.map(({ name, title }, index) => html`
        <section class="panel" aria-labelledby="top-${name}">
          <h2 id="top-${name}">${title}</h2>
          ${this.tops[index].length ? table(`The best in ${title}`, this.tops[index], { brief: true })
            : html`<p>No rating is settled yet. <a href="/games/${name}">Play it</a>, or look at
              <a href="/leaderboards/${name}?provisional=show">those that are provisional</a>.</p>`}
          <p><a href="/leaderboards/${name}">Leaderboard of ${title}</a></p>
        </section>`)}</div>`;
  }

  board() {
    const { of, provisional, idle } = this.filters;
    const title = this.titleOf(this.game);
    return html`
      ${explanation}
      <div class="filters">
        ${field({ id: 'of', label: 'Who', kind: 'choice', choices: [['people', 'People'], ['bots', 'Bots']],
          value: of, change: (who) => this.choose({ of: who }) })}
        ${field({ id: 'provisional', label: 'with provisional ratings', kind: 'check',
          value: provisional === 'show',
          change: (isShown) => this.choose({ provisional: isShown ? 'show' : 'hide' }) })}
        ${field({ id: 'idle', label: 'with players who were not rated in the last 90 days', kind: 'check',
          value: idle === 'show', change: (isShown) => this.choose({ idle: isShown ? 'show' : 'hide' }) })}
      </div>
      ${this.mine ? html`<p>Your own rating is <a href="/players/${session.player?.id}/ratings/${this.game}">
        ${estimate(this.mine.rating)}</a>, from ${count(this.mine.tables, 'table')}.</p>` : nothing}
      ${paged(this.pages, {
        noun: 'players',
        rows: (leaders) => table(`Leaderboard of ${title}`, leaders),
        empty: html`<p>Nobody is on this list yet. A rating comes from every
          <a href="/games/${this.game}">public table of ${title}</a> that is played to its end, unless its host
          opened it unrated.${provisional === 'hide' ? html` The first 15 to 40 tables make it provisional: tick
          the box above to see those ratings, too.` : nothing}</p>`,
      })}`;
  }
}

const ranking = html`Players are ranked by what their skill very likely exceeds, so a beginner is not first after
  one lucky table.`;

const explanation = html`
  <p>The dot is the estimated skill; the true skill is within the bar nineteen times out of twenty. ${ranking} A rating is <em>provisional</em> until its bar is short: after about 40 tables of two players, or 20 of four.
    The bar grows with each day without a table. The ranking does not change with it: it is that after
    everybody’s latest table.</p>`;

function table(caption, leaders, { brief = false } = {}) {
  const scale = scaleOf(leaders.map(({ standing }) => standing.rating));
  const names = leaders.map(({ name }) => name);
  const isShared = (name) => names.indexOf(name) !== names.lastIndexOf(name);
  const heads = [['Rank', 'number'], ['Player'], ['Rating', 'number']];
  const further = [[scaleInWords(scale), 'drawn'], ['At least', 'number more'], ['Tables', 'number more'],
    ['Last ten', 'number more']];
  return tabular(caption, brief ? heads : [...heads, ...further], leaders.map((leader) => html`
    <tr class=${leader.player === session.player?.id ? 'mine' : ''}>
      <td class="number">${leader.rank}</td>
      <th scope="row">${who(leader, { brief, isShared: isShared(leader.name) })}</th>
      <td class="number">${ratingOf(leader)}</td>
      ${brief ? nothing : figures(leader.standing, scale)}
    </tr>`), 'leaders');
}

function who({ player, name, standing }, { brief, isShared }) {
  const tags = brief ? {} : { provisional: standing.provisional, idle: standing.idle };
  return html`${person(player, name)}${isShared ? html` <small>${player.slice(0, 6)}</small>` : nothing}
    ${player === session.player?.id ? html`<b class="tag">you</b>` : nothing}
    ${Object.keys(tags).filter((tag) => tags[tag]).map((tag) => html`<span class="tag">${tag}</span>`)}`;
}

function ratingOf({ player, name, standing }) {
  const shown = estimate(standing.rating);
  return html`<a href="/players/${player}/ratings/${standing.game}"
    aria-label="${shown}, the rating of ${name}">${shown}</a>`;
}

const figures = ({ rating, tables, trend }, scale) => html`
  <td class="drawn">${range(rating, scale)}</td>
  <td class="number more">${decimal(rating.ordinal)}</td>
  <td class="number more">${tables}</td>
  <td class="number more">${change(trend)}</td>`;

customElements.define('hw-leaderboards', Leaderboards);
