/** A series with its dates, season table and history; without an id, the list of series. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { confirm } from '../../kit/dialog.js';
import { Room } from '../../kit/element.js';
import { titleOf } from '../../kit/games.js';
import { session } from '../../kit/session.js';
import { serverNow } from '../../kit/stream.js';
import { capital, count, failure, list, loading, moment, setTitle } from '../../kit/words.js';
import { reasonOf } from '../reasons.js';
import { FORMATS, decimals, decimalsFor, system } from '../terms.js';

const REFRESH_MS = 30_000;
const STATUS = { planned: 'planned', open: 'open', over: 'over', skipped: 'left out', missed: 'did not take place' };
const MISSED = {
  late: 'the service was away',
  too_many: 'the organiser had too many tournaments',
  refused: 'its settings are no longer allowed',
};
const STOPPED = {
  organiser: 'The organiser ended the series.',
  organiser_gone: 'The series ended because its organiser left.',
  administrator: 'An administrator ended the series.',
};
const PHASES = { running: 'Running', ended: 'Season over' };

class SeriesRoom extends Room {
  enter() {
    this.series = this.getAttribute('series');
    this.path = `/v1/series/${this.series}`;
    setTitle('Series');
    this.listen(session, 'change', () => this.load());
    this.every(REFRESH_MS, () => this.load());
    this.load();
  }

  async load() {
    try {
      this.set({ problem: null, refused: null, ...(await (this.series ? this.#one() : this.#all())) });
    } catch (problem) {
      this.set({ problem });
    }
  }

  async #all() {
    const [running, ended, mine] = await Promise.all([
      api.get('/v1/series', { query: { phase: 'running' } }),
      api.get('/v1/series', { query: { phase: 'ended' } }),
      session.player ? api.get('/v1/me/series') : { series: [] },
    ]);
    const own = new Set(mine.series.map(({ id }) => id));
    return { lists: [
      ['Yours', mine.series, ''],
      ['Running', running.series.filter(({ id }) => !own.has(id)), 'No other series is running.'],
      ['Seasons that are over', ended.series, 'No season is over yet.'],
    ] };
  }

  async #one() {
    const [view, table, past] = await Promise.all([
      api.get(this.path), api.get(`${this.path}/table`), api.get(`${this.path}/history`),
    ]);
    setTitle(view.setup.name);
    return { view, table, past };
  }

  template() {
    const shown = this.problem ? failure(this.problem, () => this.load())
      : this.series ? (this.view ? this.one() : loading()) : (this.lists ? this.all() : loading());
    return html`<section class="page tournament">${shown}</section>`;
  }

  all() {
    const card = (row) => html`<li class="panel">
      <h3><a href="/series/${row.id}">${row.name}</a></h3>
      <p>${titleOf(row.game)} · ${FORMATS[row.format][0]}</p>
      <p class="small">${row.over} of ${count(row.dates, 'tournament')} played${row.next_at ? html` · next: ${moment(row.next_at)}` : nothing}</p></li>`;
    return html`
      <nav class="crumbs" aria-label="Where you are"><a href="/tournaments">Tournaments</a></nav>
      <header class="head"><h1>Series</h1><a class="button main" href="/series/new">New series</a></header>
      <p>Tournaments at regular times, with one table for the whole season.</p>
      ${this.lists.map(([title, rows, empty]) => (rows.length || empty ? html`<h2>${title}</h2>${rows.length
        ? html`<ul class="cups">${rows.map(card)}</ul>` : html`<p class="soft">${empty}</p>`}` : nothing))}`;
  }

  one() {
    const { view } = this;
    const { setup } = view;
    return html`
      <nav class="crumbs" aria-label="Where you are"><a href="/tournaments">Tournaments</a> › <a href="/series">Series</a></nav>
      <header class="head"><h1>${setup.name}</h1><span class="phase ${view.phase}">${PHASES[view.phase]}</span></header>
      <p class="small">${system(setup)} · <a href="/games/${setup.game}">${titleOf(setup.game)}</a> · ${when(view.schedule)} ·
        Organiser: <a href="/players/${view.organiser}">${view.organiser_name}</a></p>
      ${view.stopped ? html`<p class="notice">${STOPPED[view.stopped]}</p>` : nothing}
      <h2 id="season">Season table</h2>${this.season()}
      <h2 id="dates" tabindex="-1">Dates</h2>
      ${this.refused ? failure(this.refused) : nothing}
      ${this.dates()}
      ${this.ending()}
      <h2>History</h2>
      <ol class="chronicle" reversed>${this.past.events.map(({ at, words, reason }) => html`<li><span
        class="small">${moment(at)}</span> ${words}${reasonOf(this, reason)}</li>`)}</ol>`;
  }

  season() {
    const { rows, players } = this.table;
    const said = html`<p class="small">${scheme(this.view.points)}</p>`;
    if (!rows.length) return html`<p>No tournament has counted yet.</p>${said}`;
    const numbers = this.view.dates.filter(({ players: many }) => many).map(({ number }) => number);
    const places = decimalsFor(rows.map(({ points }) => points));
    const cell = ({ results }, number) => {
      const result = results.find((each) => each.number === number);
      const earned = result && decimals(result.points, decimalsFor([result.points]));
      return html`<td class="number">${!result ? '' : result.counts ? earned
        : html`<s title="Does not count">${earned}</s>`}</td>`;
    };
    return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="season"><table>
      <thead><tr><th scope="col" class="number">Place</th><th scope="col">Player</th><th scope="col" class="number">Points</th>
        ${numbers.map((number) => html`<th scope="col" class="number"><span class="unseen">Tournament </span>${number}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr class=${row.player === session.player?.id ? 'mine' : nothing}>
        <td class="number">${row.place}</td><th scope="row"><a href="/players/${row.player}">${row.name}</a></th>
        <td class="number">${decimals(row.points, places)}</td>${numbers.map((number) => cell(row, number))}</tr>`)}</tbody></table></div>
      ${said}<p class="small">${players > rows.length ? html`The first ${rows.length} of ${players} players. ` : nothing}<a
        href="${this.path}/table?format=csv">All as CSV</a></p>`;
  }

  dates() {
    const organises = this.view.organiser === session.player?.id;
    const now = serverNow();
    const row = (date) => html`<li><span>
      ${date.tournament ? html`<a href="/tournaments/${date.tournament}">Tournament ${date.number}</a>` : `Tournament ${date.number}`}
      · ${moment(date.starts_at)}<br><span class="small">${STATUS[date.status]}${date.why ? `: ${MISSED[date.why]}`
        : nothing}${date.status === 'planned' ? html`, registration opens ${moment(date.opens_at)}`
        : date.players ? html`, ${count(date.players, 'player')}` : nothing}</span></span>
      ${organises && date.status === 'planned' && date.opens_at > now ? html`<button type="button"
        @click=${() => this.skip(date)}>Leave out<span class="unseen"> tournament ${date.number}</span></button>` : nothing}</li>`;
    return html`<ol class="dates">${this.view.dates.map(row)}</ol>
      <p class="small">In your time zone. <a href="${this.path}/calendar">Add the dates to your calendar</a></p>`;
  }

  ending() {
    const { view } = this;
    const isLeft = view.dates.some(({ status, opens_at: at }) => status === 'planned' && at > serverNow());
    return view.organiser === session.player?.id && isLeft
      ? html`<p><button type="button" class="danger" @click=${() => this.end()}>End the series</button></p>` : nothing;
  }

  async skip({ number }) {
    const isSure = await confirm({
      title: `Leave out tournament ${number}?`,
      text: 'There will be no tournament on this date. This cannot be undone.',
      yes: 'Leave it out',
    });
    if (isSure) this.send(`/dates/${number}/skip`);
  }

  async end() {
    const isSure = await confirm({
      title: 'End the series?',
      text: 'No further tournament opens. Those that are open still count. This cannot be undone.',
      yes: 'End the series',
    });
    if (isSure) this.send('/end');
  }

  // The pressed button is gone afterwards.
  async send(path) {
    try {
      await api.post(`${this.path}${path}`, { confirm: true });
      await this.load();
    } catch (refused) {
      this.set({ refused });
    }
    this.querySelector('#dates')?.focus();
  }
}

/** 'Thursday at 20:00 (Europe/Berlin)' */
const when = ({ weekdays, time, zone, every_weeks: weeks }) =>
  `${list(weekdays.map(capital))} at ${time} (${zone})${weeks > 1 ? `, every ${weeks} weeks` : ''}`;

/** How points are counted, in words. */
function scheme({ by, places, participation, best_of: best }) {
  const earned = by === 'score' ? 'Points are the score in each tournament.' : `Points for the places: ${places.join(', ') || 'none'}; players who tie share them.`;
  const more = participation ? ` Plus ${participation} for everybody who played.` : '';
  return `${earned}${more} ${best ? `The best ${count(best, 'tournament')} of each player count.` : 'All tournaments count.'}`;
}

customElements.define('hw-series', SeriesRoom);
