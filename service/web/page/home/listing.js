/** Lists of tables that stay up to date, and a table's row in them. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { api } from '../kit/api.js';
import { titleOf } from '../kit/games.js';
import { inline } from '../text/inline.js';
import { refusal, sitDown } from '../kit/opening.js';
import { tableOf } from '../kit/pictures.js';
import { go } from '../kit/router.js';
import { session } from '../kit/session.js';
import { count, duration, failure, humanised, inWords, list, loading, moment } from '../kit/words.js';

export const REFRESH_MS = 3000;

/** A page of the lobby. `tables` is null until the first answer has arrived. */
export class Listing {
  tables = null;

  cursor = null;

  problem = null;

  /** The id of the table at which a seat is being taken. */
  sitting = null;

  /** The table at which the last attempt failed, and why. */
  refused = null;

  #busy = false;

  #changed;

  /** @param {object} query of `GET /v1/tables` @param {() => void} changed redraws the list */
  constructor(query, changed) {
    this.query = query;
    this.#changed = changed;
  }

  async load() {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { tables, cursor } = await api.get('/v1/tables', { query: this.query });
      Object.assign(this, { tables: this.#ordered(tables), cursor, problem: null });
    } catch (problem) {
      this.problem = problem;
    }
    this.#busy = false;
    this.#changed();
  }

  // The service lists the latest change first. Rows that are already shown keep their places, so that nobody presses
  // the wrong button.
  #ordered(tables) {
    if (!this.tables) return tables;
    const found = new Map(tables.map((table) => [table.id, table]));
    const shown = new Set(this.tables.map(({ id }) => id));
    const kept = this.tables.filter(({ id }) => found.has(id)).map(({ id }) => found.get(id));
    return [...kept, ...tables.filter(({ id }) => !shown.has(id))];
  }

  async sit(table) {
    if (this.sitting) return;
    Object.assign(this, { sitting: table, refused: null });
    this.#changed();
    try {
      await sitDown(table);
      go(`/tables/${table}`);
    } catch (problem) {
      this.refused = { table, why: refusal(problem) };
      await this.load();
    }
    this.sitting = null;
    this.#changed();
  }

  /**
   * The rows, with notices about the whole list. `empty` is shown if there are none; `isWanted` filters the tables.
   */
  template(empty, isWanted = () => true) {
    const { problem, refused } = this;
    if (!this.tables) return problem ? failed(this) : loading('Looking for tables');
    const tables = this.tables.filter(isWanted);
    const isGone = refused && !tables.some(({ id }) => id === refused.table);
    return html`
      ${problem ? html`<p class="small" role="status">The service is not answering; these tables may be out
        of date.</p>` : nothing}
      ${isGone ? html`<p class="notice failed" role="alert">${inline(refused.why)}</p>` : nothing}
      ${tables.length ? html`<ul class="listed">${
        repeat(tables, ({ id }) => id, (table) => row(table, this))}</ul>` : empty}`;
  }
}

const failed = (listing) => failure(listing.problem, () => listing.load());

const possessive = (name) => `${name}’s table`;

function row(table, listing) {
  const title = titleOf(table.game);
  const refused = listing.refused?.table === table.id ? listing.refused.why : '';
  return html`
    <li>
      ${tableOf(table.game)}
      <div class="about">
        <p><strong>${title}</strong> <span>${possessive(table.host_name)}</span></p>
        <p class="small">${facts(table)}</p>
        ${refused ? html`<p class="small refused" role="alert">${inline(refused)}</p>` : nothing}
      </div>
      ${action(table, listing, `${title}, ${possessive(table.host_name)}`)}
    </li>`;
}

function facts({ phase, round, free_seats: free, turn_seconds: clock, ...table }) {
  const parts = [phase === 'ended' ? outcome(table) : players(table)];
  if (phase === 'open') parts.push(`${free.length} of ${count(table.seats.length, 'seat')} free`);
  const { rounds, ...options } = table.options;
  if (phase === 'playing') parts.push(round ? `round ${round}${rounds ? ` of ${rounds}` : ''}` : 'about to be dealt');
  else if (rounds) parts.push(count(rounds, 'round'));
  if (phase !== 'ended' && clock) parts.push(`${duration(clock * 1000)} a turn`);
  if (table.parent) parts.push('continued from another table');
  for (const [name, value] of Object.entries(options)) {
    parts.push(`${humanised(name).toLowerCase()}: ${inWords(value)}`);
  }
  return html`${parts.join(' · ')}${phase === 'ended' ? html` · ${moment(table.changed_at)}` : nothing}`;
}

function players({ seats }) {
  const sitting = seats.filter(Boolean);
  const people = sitting.filter(({ policy }) => !policy).map(({ name }) => name);
  const bots = sitting.length - people.length;
  if (!sitting.length) return 'No players yet';
  return list(bots ? [...people, count(bots, 'bot')] : people);
}

const isUnplayed = (result) => ['closed', 'expired'].includes(result?.outcome);

function outcome({ result, seats, voided }) {
  if (voided) return 'The result was voided';
  if (isUnplayed(result)) return 'Closed before play began';
  const first = seats.filter((seat, number) => seat && result?.places?.[number] === 1);
  const winners = first.map(({ name }) => name);
  if (!winners.length) return 'Ended without a result';
  return winners.length === 1 ? `${winners[0]} won` : `${list(winners)} shared first place`;
}

/** Whether the player of this browser sits at a table. */
export const isOwn = ({ seats }) => seats.some((seat) => seat && seat.player === session.player?.id);

function action(table, listing, name) {
  const link = (verb, path = '') => html`
    <a class="button" href="/tables/${table.id}${path}" aria-label="${verb}: ${name}">${verb}</a>`;
  if (table.phase === 'ended') return isUnplayed(table.result) ? nothing : link('Replay', '/replay');
  if (isOwn(table)) return link(table.phase === 'open' ? 'Go to your seat' : 'Play on');
  if (table.phase === 'playing') return link('Watch');
  if (!table.free_seats.length) return link('View');
  const isSitting = listing.sitting === table.id;
  return html`
    <button ?disabled=${listing.sitting} aria-label="Sit down: ${name}"
      @click=${() => listing.sit(table.id)}>${isSitting ? 'Sitting down …' : 'Sit down'}</button>`;
}
