/** `/players/<id>/statement`: what a player won and lost, entry by entry, with the balance after each. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { button, commandForm, field } from '../kit/form.js';
import { titleOf } from '../kit/games.js';
import { linePlot } from '../plots/plot.js';
import { timeInWords, times } from '../plots/times.js';
import { note } from '../kit/router.js';
import { session } from '../kit/session.js';
import { count, entitle, failure, humanised, moment } from '../kit/words.js';
import { news } from '../shell/news.js';
import { csvOf, offer } from './csv.js';
import { exact, gained, valueOf } from './figures.js';
import { Pages, paged, unready } from './pages.js';
import { tabular } from './tables.js';

const PAGE_SIZE = 500;
const CSV_PAGE_SIZE = 5000;
const ROWS = 50;
const FILTERS = ['from', 'until', 'unit', 'as_of'];
const UNITS = [['', 'tokens and points'], ['token', 'tokens'], ['point', 'points']];
// The books follow the tables with a short delay.
const BOOKED_AFTER_MS = 1500;

/** '2025-06-15' → the first moment of that day here, or of the next one */
function dayStart(day, next = 0) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date + next).getTime();
}

class Statement extends Room {
  enter() {
    entitle('Statement');
    this.player = this.getAttribute('player');
    this.path = `/v1/players/${this.player}/statement`;
    this.listen(window, 'popstate', () => this.load());
    this.listen(news, 'news', ({ detail }) => {
      if (detail.type !== 'table_ended' || session.player?.id !== this.player) return;
      const timer = setTimeout(() => this.renew(), BOOKED_AFTER_MS);
      this.whenLeaving(() => clearTimeout(timer));
    });
    this.load();
  }

  /** The filters of the address: days of this device's clock, unit, and the moment whose books are shown. */
  get filters() {
    const asked = new URLSearchParams(location.search);
    return Object.fromEntries(FILTERS.map((name) => [name, asked.get(name) ?? '']));
  }

  get query() {
    const { from, until, ...more } = this.filters;
    return { ...more, from: from && dayStart(from), until: until && dayStart(until, 1) };
  }

  ask(cursor, limit) {
    return api.get(this.path, { query: { ...this.query, cursor, limit } });
  }

  async load() {
    if (!location.pathname.endsWith('/statement')) return;
    this.pages = new Pages(async (cursor) => {
      const { lines, ...more } = await this.ask(cursor, PAGE_SIZE);
      if (!cursor) this.balances = { opening: more.opening, closing: more.closing };
      return { rows: lines, cursor: more.cursor };
    }, () => this.update(), ROWS);
    this.set({ problem: null });
    this.pages.more();
    try {
      const { name } = await api.get(`/v1/players/${this.player}`);
      entitle(`${name}: statement`);
      this.set({ name });
    } catch (problem) {
      this.set({ problem });
    }
  }

  async renew() {
    this.set({ pages: await this.pages.renew() });
  }

  filter({ from, until, unit }) {
    note({ from: from || null, until: until || null, unit: unit || null, as_of: null });
    this.load();
  }

  // A link to the service's CSV could not send the token that shows the tables that are private.
  async download() {
    this.set({ saving: true, unsaved: null });
    try {
      const lines = [];
      for (let cursor; cursor !== null;) {
        const page = await this.ask(cursor, CSV_PAGE_SIZE);
        lines.push(...page.lines);
        cursor = page.cursor;
      }
      offer(`statement-${this.player}.csv`, csvOf(lines));
    } catch (unsaved) {
      this.set({ unsaved });
    }
    this.set({ saving: false });
  }

  template() {
    if (this.problem || this.name === undefined) return unready('Statement', this.problem, () => this.load());
    const isMe = session.player?.id === this.player;
    return html`
      <section class="page players">
        <h1>${this.name}: statement</h1>
        <p>What ${isMe ? 'you' : this.name} won and lost at tables, with the balance in that game after each
          entry. Select a balance to see all balances at that moment. Entries are never edited: when a table is
          voided, new entries reverse the old ones.
          ${isMe ? nothing : 'Private tables are listed only for the player.'}
          <a href="/players/${this.player}">All about ${isMe ? 'you' : this.name}</a></p>
        ${this.form()}
        ${paged(this.pages, {
          what: 'entries',
          rows: (visible) => html`${this.sums()}${this.plots()}${this.lines(visible)}`,
          empty: html`<p>There is no entry
            ${Object.values(this.filters).some(Boolean) ? 'of this kind' : 'yet'}.
            Every scored round makes one. <a href="/">Choose a game</a></p>`,
        })}
      </section>`;
  }

  form() {
    const { from, until, unit, as_of: entry } = this.filters;
    return html`
      <div class="filters">
        ${commandForm({
          content: [
            field({ id: 'from', name: 'from', label: 'From', kind: 'date', initial: from }),
            field({ id: 'until', name: 'until', label: 'To', kind: 'date', initial: until }),
            field({ id: 'unit', name: 'unit', label: 'In', kind: 'choice', choices: UNITS, initial: unit }),
          ],
          label: 'Show',
          send: (filters) => this.filter(filters),
        })}
        ${button('Download as CSV', { isBusy: this.saving, press: () => this.download() })}
      </div>
      ${this.unsaved ? failure(this.unsaved, () => this.download()) : nothing}
      ${entry ? html`<p class="notice">You see the books as they were right after entry <code>${entry}</code>.
        <a href=${location.pathname}>Show them as they are now</a></p>` : nothing}`;
  }

  sums() {
    const { opening, closing } = this.balances;
    const booked = new Set(this.pages.rows.map(({ game }) => game));
    const rows = closing.map((end, index) => ({ ...end, before: opening[index].amount }))
      .filter(({ game, amount, before }) => booked.has(game) || amount || before);
    const { from, until, as_of: then } = this.filters;
    const heads = [['Game'], [from ? 'Before' : 'At the start', 'number'],
      [until || then ? 'At the end' : 'Now', 'number']];
    return tabular('Balances, game by game', heads, rows.map(({ game, unit, before, amount }) => html`
      <tr>
        <th scope="row">${titleOf(game)}</th>
        <td class="number">${exact(before)}</td>
        <td class="number"><strong>${exact(amount)}</strong> ${unit}s</td>
      </tr>`));
  }

  /** Draws each game on its own: tokens and points of different games cannot be compared. */
  plots() {
    const { rows, cursor } = this.pages;
    const byGame = Map.groupBy(rows.toReversed(), ({ game }) => game);
    const part = cursor === null ? '' : `, the latest ${count(rows.length, 'entry', 'entries')}`;
    return html`<div class="columns">${[...byGame].map(([game, lines]) => html`<div class="panel">${linePlot({
      title: `Balance in ${titleOf(game)}${part}`,
      unit: `${lines[0].unit}s`,
      series: [{ name: 'Balance', points: lines.map(({ at, balance }) => [at, valueOf(balance)]) }],
      xTicks: times,
      xTick: timeInWords,
    })}</div>`)}</div>`;
  }

  lines(visible) {
    const heads = [['When'], ['For'], ['Amount', 'number'], ['Balance', 'number']];
    const row = (line) => html`
      <tr>
        <td class="when">${moment(line.at)}</td>
        <td class="first">${this.reason(line)}</td>
        <td class="number">${gained(line.amount)} ${line.unit}${/^-?1$/.test(line.amount) ? '' : 's'}</td>
        <td class="number" data-label="Balance"><a href="${location.pathname}?as_of=${line.entry}"
          aria-label="${exact(line.balance)}, all balances right after this entry">
          ${exact(line.balance)}</a></td>
      </tr>`;
    return html`<h2>Entries</h2>${tabular('Entries, the latest first', heads, visible.map(row), 'flow')}`;
  }

  reason({ game, round, table, tournament, event, reverses }) {
    const kind = event === 'table.round_scored' ? '' : `, ${humanised(event.split('.')[1]).toLowerCase()}`;
    return html`${reverses ? html`<span class="tag">reversed</span> ` : nothing}Round ${round}${kind} of
      <a href="/tables/${table}">${titleOf(game)}</a>${tournament
        ? html`, in <a href="/tournaments/${tournament}">a tournament</a>` : nothing}${reverses
        ? html` <span class="small">(entry <code>${reverses}</code>)</span>` : nothing}`;
  }
}

customElements.define('hw-statement', Statement);
