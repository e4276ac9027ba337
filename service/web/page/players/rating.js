/** `/players/<id>/ratings/<game>`: the history of a rating, table by table. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { titleOf } from '../kit/games.js';
import { linePlot } from '../plots/plot.js';
import { moment, nth, setTitle } from '../kit/words.js';
import { change, decimal, estimate, tabular } from './figures.js';
import { botName, botOf, people, personById } from './names.js';
import { Pages, paged, pending } from './pages.js';

const PAGE_SIZE = 200;

class Rating extends Room {
  enter() {
    setTitle('Rating');
    this.player = this.getAttribute('player');
    this.game = this.getAttribute('game');
    this.pages = new Pages(async (cursor) => {
      const path = `/v1/players/${this.player}/ratings/${this.game}`;
      const { tables, ...more } = await api.get(path, { query: { cursor, limit: PAGE_SIZE } });
      return { rows: tables, ...more };
    }, () => this.update());
    this.pages.more();
    this.load();
  }

  async load() {
    this.set({ problem: null });
    try {
      const [{ name, bot = null }, { ratings }] = await Promise.all([
        botOf(this.player) ? { name: botName(this.player), bot: {} } : api.get(`/v1/players/${this.player}`),
        api.get(`/v1/players/${this.player}/ratings`),
      ]);
      this.set({ name, isBot: bot !== null, standing: ratings.find(({ game }) => game === this.game) ?? null });
      setTitle(`${name}: rating in ${titleOf(this.game)}`);
    } catch (problem) {
      this.set({ problem });
    }
  }

  template() {
    const game = titleOf(this.game);
    if (this.problem || this.name === undefined) return pending('Rating', this.problem, () => this.load());
    return html`
      <section class="page players">
        <h1>${this.name}: rating in ${game}</h1>
        <p><a href="/players/${this.player}">Profile of ${this.name}</a> ·
          <a href="/leaderboards/${this.game}${this.isBot ? '?of=bots' : ''}">Leaderboard of
            ${game}</a></p>
        ${this.standing ? facts(this.standing) : nothing}
        <p>The line is the estimated skill, which starts at 25 for everybody. The band contains the true skill
          nineteen times out of twenty: it narrows with every table and widens with each day without one.
          <em>At least</em> is three standard deviations below the estimate after the latest table. The skill is
          very likely higher; leaderboards rank by it. Players who played fewer than half of a table’s rounds
          themselves can only lose rating there, and two players count for each other at most ten tables a
          day.</p>
        ${paged(this.pages, {
          noun: 'tables',
          rows: (visible) => html`${this.plot()}${this.tables(visible)}`,
          empty: html`<p>No table counts yet. A table counts once it has ended, if it is public and its host
            did not open it unrated. <a href="/games/${this.game}">Play ${game}</a></p>`,
        })}
      </section>`;
  }

  /** Draws all tables that have arrived, not only those in the list; the latest is the last that counts. */
  plot() {
    const { rows, cursor } = this.pages;
    const last = this.standing ? Math.max(this.standing.tables, rows.length) : rows.length;
    const latestLast = rows.map(({ after }, index) => [last - index, after]).reverse();
    const isWhole = cursor === null && last === rows.length;
    const all = isWhole ? [[0, rows.at(-1).before], ...latestLast] : latestLast;
    return html`<div class="panel">${linePlot({
      title: `Rating after each table${isWhole ? '' : `, the latest ${rows.length} tables`}`,
      series: [{
        name: 'Rating',
        points: all.map(([number, { mu }]) => [number, mu]),
        band: all.map(([number, { low, high }]) => [number, low, high]),
      }],
      xLabel: 'table',
      yLabel: 'rating',
    })}</div>`;
  }

  tables(visible) {
    const name = (id) => personById(id, () => this.update());
    const heads = [['When'], ['Place'], ['Against'], ['Change', 'number'], ['Rating', 'number'], ['Table']];
    const row = ({ table, rated_at: at, place: own, opponents, before, after }) => html`
      <tr>
        <td class="when">${moment(at)}</td>
        <th scope="row">${nth(own)} of ${opponents.length + 1}</th>
        <td class="with" data-label="Against">${people(opponents.map(({ player }) => name(player)))}</td>
        <td class="number" data-label="Change">${change(after.mu - before.mu, 2)}</td>
        <td class="number" data-label="Rating">${estimate(after)}</td>
        <td><a href="/tables/${table}/replay">Replay</a></td>
      </tr>`;
    return html`<h2>Tables that count</h2>
      ${tabular('Tables that count, newest first', heads, visible.map(row), 'flow')}`;
  }
}

function facts({ rating, tables, trend, provisional, idle, rated_at: at }) {
  return html`
    <dl class="facts">
      <dt>Rating</dt><dd><strong>${estimate(rating)}</strong>${provisional
        ? html`, <em>provisional</em>: it is uncertain until about 40 tables of two players, or 20 of four` : nothing}</dd>
      <dt>At least</dt><dd>${decimal(rating.ordinal)}</dd>
      <dt>Tables</dt><dd>${tables}, the latest ${moment(at)}</dd>
      <dt>Last ten tables</dt><dd>${change(trend)}</dd>
      ${idle ? html`<dt>Idle</dt><dd>Not rated in the last 90 days, so leaderboards omit it</dd>`
        : nothing}
    </dl>`;
}

customElements.define('hw-rating', Rating);
