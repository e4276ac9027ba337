/** `/me/tables`: the tables of the player who uses this browser, waiting ones first. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { titleOf } from '../kit/games.js';
import { session } from '../kit/session.js';
import { serverNow, synchronise } from '../kit/stream.js';
import { duration, failure, humanised, list, loading, moment, nth, setTitle } from '../kit/words.js';
import { news } from '../shell/news.js';
import { gained, tabular } from './figures.js';
import { people, person } from './names.js';
import { Pages, paged } from './pages.js';

const ROWS = 20;
// News say when a table begins to wait for its player, not when it no longer does.
const ASKED_AGAIN_MS = 15_000;
const GATHERED_MS = 150;
// The service's lists follow the tables with a delay.
const LISTED_MS = 1000;

const OUTCOMES = { played_out: '', last_seat: 'all others resigned', abandoned: 'abandoned',
  closed: 'closed by its host', expired: 'never started', no_result: 'without a result' };

const ANSWERS = [['Take the seat', 'take', 'main'], ['Decline', 'decline', ''],
  ['Decline and block the sender', 'block', '']];

const GROUPS = [
  ['Waiting for you', ({ waits_since: since }) => since !== null],
  ['Seats kept for you', ({ offered_seat: seat }) => seat !== null],
  ['In play', ({ phase }) => phase === 'playing'],
  ['Not started yet', () => true],
];

/** Each table in the first group that it belongs to. */
function grouped(tables) {
  const groups = GROUPS.map(([name]) => ({ name, tables: [] }));
  for (const table of tables) groups[GROUPS.findIndex(([, belongs]) => belongs(table))].tables.push(table);
  return groups.filter((group) => group.tables.length);
}

class MyTables extends Room {
  /** Ended tables that the lists do not have yet. */
  unlisted = new Set();

  enter() {
    setTitle('My tables');
    this.listen(session, 'change', () => this.begin());
    this.listen(news, 'news', ({ detail }) => this.soon(detail));
    this.listen(document, 'visibilitychange', () => { if (!document.hidden) this.soon(); });
    this.listen(window, 'online', () => this.soon());
    this.every(ASKED_AGAIN_MS, () => {
      this.soon();
      this.unlisted.clear();
    });
    this.every(1000, () => { if (this.live?.rows.some(({ deadline }) => deadline)) this.update(); });
    this.whenLeaving(() => { clearTimeout(this.due); this.due = null; this.mine = null; });
    this.begin();
  }

  begin() {
    const id = session.player?.id ?? null;
    if (id === this.mine) return this.update();
    this.mine = id;
    // Otherwise it would ask for the lists of nobody after signing out.
    clearTimeout(this.due);
    this.due = null;
    this.unlisted.clear();
    const asked = (phase, limit) => async (cursor) => {
      const page = await api.get('/v1/me/tables', { query: { phase, cursor, limit } });
      synchronise(page.now);
      return { rows: page.tables, cursor: page.cursor };
    };
    const redraw = () => this.update();
    this.live = id && new Pages(asked('live', 200), redraw, 200);
    this.over = id && new Pages(asked('ended', ROWS), redraw, ROWS);
    this.live?.more();
    this.over?.more();
    return this.update();
  }

  /** Asks again, once for all news of a moment, and until the lists have the tables that ended. */
  soon({ type, table } = {}) {
    if (!this.mine) return;
    if (type === 'table_ended') this.unlisted.add(table.id);
    // Before its stream began with a snapshot, a table may have ended without news.
    this.overToo ||= type === 'snapshot' || this.unlisted.size > 0;
    this.isStale = true;
    this.due ??= setTimeout(() => this.renew(), GATHERED_MS);
  }

  async renew() {
    const { live, over, overToo } = this;
    Object.assign(this, { isStale: false, overToo: false });
    const fresh = await Promise.all([live.renew(), overToo ? over.renew() : over]);
    this.due = null;
    if (this.live !== live || !this.isConnected) return;
    this.set({ live: fresh[0], over: fresh[1] });
    for (const { id } of fresh[1].rows) this.unlisted.delete(id);
    if (this.isStale || this.unlisted.size) setTimeout(() => this.soon(), LISTED_MS);
  }

  async answer(table, answer) {
    if (this.answering) return;
    this.set({ answering: table.id, refused: null, done: '' });
    const path = `/v1/tables/${table.id}/seats`;
    try {
      const title = titleOf(table.game);
      if (answer === 'take') await this.sit(path, table);
      else await api.del(`${path}/${table.offered_seat}`);
      if (answer === 'block') await (await import('./blocking.js')).block(table.host);
      this.set({ done: answer === 'take' ? `You have a seat at the table of ${title}.` : `You declined the seat at ${title}.${
        answer === 'block' ? ' Its host can no longer offer you seats.' : ''}` });
    } catch (refused) {
      this.set({ refused });
    }
    this.set({ answering: null, live: await this.live.renew() });
    this.querySelector('[role=status].done')?.focus();
  }

  // Who sits down takes part in the shuffle, by a seed that this browser keeps.
  async sit(path, { id, offered_seat: seat }) {
    const { keepSeed, prepareSeed } = await import('../kit/seeds.js');
    const seed = await prepareSeed();
    await api.post(path, seed ? { seat, seed_commitment: seed.commitment } : { seat });
    if (seed) keepSeed(id, 'seat', seed);
  }

  template() {
    return html`
      <section class="page players">
        <h1>My tables</h1>
        ${this.mine ? this.tables() : html`<p>You have not sat down at a table in this browser yet.
          <a href="/">Choose one of the games</a>: your player is made when you first play. If you have one on
          another device, <a href="/me">sign in</a>.</p>`}
      </section>`;
  }

  tables() {
    const { live, over } = this;
    if (!live.isLoaded) return live.problem ? failure(live.problem, () => live.more()) : loading();
    return html`
      <p class="done" role="status" tabindex="-1">${this.done ?? ''}</p>
      ${this.refused ? failure(this.refused) : nothing}
      ${live.rows.length ? grouped(live.rows).map(({ name, tables }) => html`
        <h2>${name}</h2>
        <ul class="tables">${repeat(tables, ({ id }) => id, (table) => html`
          <li class="panel">${this.table(table)}</li>`)}</ul>`)
        : html`<p>No table is waiting for you, and none is in play. <a href="/">Choose one of the games</a>, or
          look for <a href="/tables">tables with free seats</a>.</p>`}
      ${live.isComplete ? nothing : html`
        <p><button @click=${() => live.more()}>Show more tables</button></p>`}
      <h2>Finished</h2>
      ${paged(over, {
        noun: 'tables', rows: overTable, empty: html`<p>None of your tables is finished yet.</p>` })}`;
  }

  table(table) {
    const { id, game, round, phase, tournament: cup, opponents, last_event: last } = table;
    const title = `${titleOf(game)}${round ? `, round ${round}` : ''}`;
    return html`
      <h3><a href="/tables/${id}">${title}</a></h3>
      <p>${turn(table)}</p>
      <p class="small">${opponents.length ? html`With ${named(opponents)}` : 'Nobody else has sat down yet'}${
        phase === 'open' && table.host === this.mine ? ', hosted by you' : ''}${
        cup ? html`, <a href="/tournaments/${cup.tournament}">round ${cup.round} of a tournament</a>, board
          ${cup.board}` : nothing}.
        ${last ? html`Last: ${inWords(last.type)}, ${moment(last.at)}.` : nothing}</p>
      ${table.offered_seat === null ? nothing : html`<div class="row-of-buttons">
        ${ANSWERS.map(([name, answer, look]) => html`
          <button class=${look} aria-disabled=${this.answering === id} aria-label="${name}, ${title}"
            @click=${() => this.answer(table, answer)}>${name}</button>`)}
      </div>`}`;
  }
}

const named = (opponents) => people(opponents.map(({ player, name }) => person(player, name)));

/** 'table.seat_taken@3' → 'seat taken' */
const inWords = (type) => humanised(type.split('.').at(-1).split('@')[0]).toLowerCase();

/** Whose turn it is, and until when. */
function turn({ phase, seat, offered_seat: offered, owes, opponents, waits_since: since, deadline, host }) {
  const nameAt = (other) => opponents.find((each) => each.seat === other)?.name ?? 'A bot';
  if (offered !== null) {
    const name = opponents.find(({ player }) => player === host)?.name ?? 'The host';
    return `${name} keeps seat ${offered + 1} for you.`;
  }
  if (since !== null) {
    const left = deadline && `; ${duration(deadline - serverNow())} left`;
    return html`<strong>${owes.includes(seat) ? 'Your turn' : 'The table waits for you'}</strong>, since
      ${moment(since)}${left ?? ''}.`;
  }
  if (phase === 'open') return 'The table has not started yet.';
  const others = owes.filter((each) => each !== seat).map(nameAt);
  return others.length ? `${list(others)} to move.` : 'Play continues by itself.';
}

const OVER_HEADS = [['Ended'], ['Game'], ['With'], ['Place'], ['Score', 'number'], ['Table']];

const overTable = (rows) => tabular('Your finished tables, newest first', OVER_HEADS,
  rows.map(({ id, game, seat, opponents, result, last_event: last }) => html`
    <tr>
      <td class="when">${last ? moment(last.at) : '–'}</td>
      <th scope="row">${titleOf(game)}</th>
      <td class="with" data-label="With">${named(opponents)}</td>
      <td>${ending(result, seat, opponents.length + 1)}</td>
      <td class="number" data-label="Score">${
        result?.scores && seat !== null ? gained(result.scores[seat]) : '–'}</td>
      <td><a href="/tables/${id}/replay">Replay</a></td>
    </tr>`), 'flow');

function ending(result, seat, seats) {
  if (!result) return '–';
  const why = OUTCOMES[result.outcome] ?? humanised(result.outcome).toLowerCase();
  const own = result.places && seat !== null ? `${nth(result.places[seat])} of ${seats}` : '';
  return [own, why].filter(Boolean).join(', ') || '–';
}

customElements.define('hw-my-tables', MyTables);
