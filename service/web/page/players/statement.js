/** `/players/<id>/statement`: a player's wins and losses, entry by entry, with the balance after each. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { button, commandForm, field } from '../kit/form.js';
import { titleOf } from '../kit/games.js';
import { linePlot } from '../plots/plot.js';
import { timeInWords, times } from '../plots/times.js';
import { setQuery } from '../kit/router.js';
import { session } from '../kit/session.js';
import { count, failure, humanised, moment, setTitle } from '../kit/words.js';
import { news } from '../shell/news.js';
import { csvOf, saveFile } from './csv.js';
import { exact, gained, tabular, valueOf } from './figures.js';
import { Pages, paged, pending } from './pages.js';

const PAGE_SIZE = 500;
const CSV_PAGE_SIZE = 5000;
const ROWS = 50;
const FILTERS = ['from', 'until', 'unit', 'as_of'];
const UNITS = [['', 'tokens and points'], ['token', 'tokens'], ['point', 'points']];
// The ledger is updated shortly after a table ends.
const LEDGER_DELAY_MS = 1500;

/** '2025-06-15' → the start of that day in local time, in ms, or of a day after it */
function dayStart(day, daysLater = 0) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).getTime();
}

class Statement extends Room {
  enter() {
    setTitle('Statement');
    this.player = this.getAttribute('player');
    this.path = `/v1/players/${this.player}/statement`;
    this.listen(window, 'popstate', () => this.load());
    this.listen(news, 'news', ({ detail }) => {
      if (detail.type !== 'table_ended' || session.player?.id !== this.player) return;
      const timer = setTimeout(() => this.renew(), LEDGER_DELAY_MS);
      this.whenLeaving(() => clearTimeout(timer));
    });
    this.load();
  }

  /** The filters in the URL: the first and last day in local time, the unit, and the entry to stop after. */
  get filters() {
    const params = new URLSearchParams(location.search);
    return Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? '']));
  }

  get query() {
    const { from, until, ...others } = this.filters;
    return { ...others, from: from && dayStart(from), until: until && dayStart(until, 1) };
  }

  fetchPage(cursor, limit) {
    return api.get(this.path, { query: { ...this.query, cursor, limit } });
  }

  async load() {
    if (!location.pathname.endsWith('/statement')) return;
    this.pages = new Pages(async (cursor) => {
      const { lines, opening, closing, cursor: next } = await this.fetchPage(cursor, PAGE_SIZE);
      if (!cursor) this.balances = { opening, closing };
      return { rows: lines, cursor: next };
    }, () => this.update(), ROWS);
    this.set({ problem: null });
    this.pages.more();
    try {
      const { name } = await api.get(`/v1/players/${this.player}`);
      setTitle(`${name}: statement`);
      this.set({ name });
    } catch (problem) {
      this.set({ problem });
    }
  }

  async renew() {
    this.set({ pages: await this.pages.renew() });
  }

  filter({ from, until, unit }) {
    setQuery({ from: from || null, until: until || null, unit: unit || null, as_of: null });
    this.load();
  }

  // A plain link to the service's CSV sends no token, so entries at private tables would be missing.
  async download() {
    this.set({ isSaving: true, downloadProblem: null });
    try {
      const lines = [];
      for (let cursor; cursor !== null;) {
        const page = await this.fetchPage(cursor, CSV_PAGE_SIZE);
        lines.push(...page.lines);
        cursor = page.cursor;
      }
      saveFile(`statement-${this.player}.csv`, csvOf(lines));
    } catch (downloadProblem) {
      this.set({ downloadProblem });
    }
    this.set({ isSaving: false });
  }

  template() {
    if (this.problem || this.name === undefined) return pending('Statement', this.problem, () => this.load());
    const isMe = session.player?.id === this.player;
    return html`
      <section class="page players">
        <h1>${this.name}: statement</h1>
        <p>Everything ${isMe ? 'you have' : `${this.name} has`} won and lost at tables, with the balance in that
          game after each entry. Select a balance to see all balances at that moment. Entries are
          never edited: when a table is voided, new entries reverse the old ones.
          ${isMe ? nothing : 'Entries at private tables are shown only to the player.'}
          <a href="/players/${this.player}">${isMe ? 'Your profile' : `Profile of ${this.name}`}</a></p>
        ${this.form()}
        ${paged(this.pages, {
          noun: 'entries',
          rows: (visible) => html`${this.balanceTable()}${this.plots()}${this.lines(visible)}`,
          empty: html`<p>
            ${Object.values(this.filters).some(Boolean) ? 'No entries match these filters.' : 'No entries yet.'}
            Every scored round adds one. <a href="/">Choose a game</a></p>`,
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
        ${button('Download as CSV', { isBusy: this.isSaving, press: () => this.download() })}
      </div>
      ${this.downloadProblem ? failure(this.downloadProblem, () => this.download()) : nothing}
      ${entry ? html`<p class="notice">This is the statement as of entry <code>${entry}</code>.
        <a href=${location.pathname}>Show the current statement</a></p>` : nothing}`;
  }

  balanceTable() {
    const { opening, closing } = this.balances;
    const played = new Set(this.pages.rows.map(({ game }) => game));
    const rows = closing.map((balance, index) => ({ ...balance, before: opening[index].amount }))
      .filter(({ game, amount, before }) => played.has(game) || amount || before);
    const { from, until, as_of: entry } = this.filters;
    const columns = [['Game'], [from ? 'Before' : 'At the start', 'number'],
      [until || entry ? 'At the end' : 'Now', 'number']];
    return tabular('Balances by game', columns, rows.map(({ game, unit, before, amount }) => html`
      <tr>
        <th scope="row">${titleOf(game)}</th>
        <td class="number">${exact(before)}</td>
        <td class="number"><strong>${exact(amount)}</strong> ${unit}s</td>
      </tr>`));
  }

  /** One plot per game, because tokens and points of different games cannot be compared. */
  plots() {
    const { rows, cursor } = this.pages;
    const byGame = Map.groupBy(rows.toReversed(), ({ game }) => game);
    const extent = cursor === null ? '' : `, the latest ${count(rows.length, 'entry', 'entries')}`;
    return html`<div class="columns">${[...byGame].map(([game, lines]) => html`<div class="panel">${linePlot({
      title: `Balance in ${titleOf(game)}${extent}`,
      unit: `${lines[0].unit}s`,
      series: [{ name: 'Balance', points: lines.map(({ at, balance }) => [at, valueOf(balance)]) }],
      xTicks: times,
      xTick: timeInWords,
    })}</div>`)}</div>`;
  }

  lines(visible) {
    const columns = [['When'], ['For'], ['Amount', 'number'], ['Balance', 'number']];
    const row = (line) => html`
      <tr>
        <td class="when">${moment(line.at)}</td>
        <td class="first">${this.reason(line)}</td>
        <td class="number">${gained(line.amount)} ${line.unit}${/^-?1$/.test(line.amount) ? '' : 's'}</td>
        <td class="number" data-label="Balance"><a href="${location.pathname}?as_of=${line.entry}"
          aria-label="${exact(line.balance)}, all balances as of this entry">
          ${exact(line.balance)}</a></td>
      </tr>`;
    return html`<h2>Entries</h2>${tabular('Entries, newest first', columns, visible.map(row), 'flow')}`;
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
