/** `hw-outcome`: how a table ended, and what one can do next. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { gameInfo, titleOf } from '../kit/games.js';
import { sitDown } from '../kit/opening.js';
import { go } from '../kit/router.js';
import { session } from '../kit/session.js';
import { capital, count, list, nth } from '../kit/words.js';
import { AtTable, nameAt } from './at_table.js';
import { storyOf } from './story.js';

const ENDINGS = {
  played_out: 'All rounds were played.',
  last_seat: 'All others have resigned, so the last player wins.',
  no_result: 'No round had a result, so the table has none either.',
  closed: 'The host closed the table before it started.',
  expired: 'Nobody started the table for too long, so it was closed.',
  stopped: 'The table was ended early; only bots played here.',
  cancelled: 'The tournament is over, so this table ended without a result.',
  abandoned: 'No person had acted for too long, so the table ended without a result.',
};
const NEVER_STARTED = new Set(['closed', 'expired']);

/** Ratings follow the tables with a short delay. */
const RATED_MS = 2000;
const RATING_TRIES = 5;

const isAmongBots = ({ seats }) => seats.filter(({ policy }) => !policy).length < 2;

class Outcome extends AtTable {
  unit = '';

  /** The events of the table, for its story. */
  events = [];

  #tries = 0;

  /** The rating of the viewer before and after the table, once it is known. */
  rated = null;

  enter() {
    super.enter();
    this.every(RATED_MS, () => this.#learnRating());
  }

  async #learnRating() {
    const { table, mine } = this;
    if (this.rated || !this.#isRated() || isAmongBots(table) || this.#tries >= RATING_TRIES) return;
    this.#tries += 1;
    const { tables } = await api.get(`/v1/players/${mine.player}/ratings/${table.game}`, { query: { limit: 1 } }).catch(() => ({ tables: [] }));
    if (tables[0]?.table === table.id) this.set({ rated: tables[0] });
  }

  #isRated() {
    const { table, mine } = this;
    return Boolean(table?.rated && table.result.places && !table.voided && mine);
  }

  async #learnUnit() {
    this.unit = 'point';
    const { unit, policies = [] } = await gameInfo(this.table.game).catch(() => this);
    this.set({ unit, canReview: policies.some(({ name }) => name === 'expert') });
  }

  template() {
    const { result, voided } = this.table;
    if (!this.unit) this.#learnUnit();
    return html`
      <section class="panel outcome" aria-labelledby="outcome">
        <header><h2 id="outcome" tabindex="-1">${this.#headline()}</h2>
          <p>${ENDINGS[result.outcome] ?? 'The table is over.'}</p>
          ${voided ? html`<div class="notice failed"><p>An administrator (${voided.admin}) took the result back:
            ${voided.reason} It does not count anywhere.</p></div>` : nothing}
          ${storyOf(this.table, this.events).map((sentence) => html`<p>${sentence}</p>`)}
          ${this.#ratings()}</header>
        ${result.places ? this.#places() : nothing}
        ${this.#next()}
      </section>`;
  }

  #headline() {
    const { result, seats } = this.table;
    if (!result.places) return 'The table is over';
    const winners = seats.filter(({ seat }) => result.places[seat] === 1);
    const names = winners.map((seat) => (seat === this.mine ? 'you' : nameAt(this.table, seat.seat)));
    if (winners.length > 1) return `${capital(list(names))} share first place`;
    return names[0] === 'you' ? 'You win' : `${names[0]} wins`;
  }

  #places() {
    const { result: { places, scores }, seats } = this.table;
    const ranking = seats.map(({ seat }) => seat).sort((one, other) => places[one] - places[other]);
    return html`
      <ol class="places">
        ${ranking.map((seat) => html`
          <li class=${seats[seat] === this.mine ? 'me' : ''}>
            <span class="nth">${nth(places[seat])}</span>
            <span><b>${nameAt(this.table, seat)}</b>${seats[seat] === this.mine ? ' (you)' : ''}
              ${seats[seat].resigned ? html`<small>resigned</small>` : nothing}</span>
            <span class="score">${count(scores[seat], this.unit)}</span>
          </li>`)}
      </ol>`;
  }

  #ratings() {
    const { table, mine, rated } = this;
    if (!this.#isRated()) return nothing;
    if (isAmongBots(table)) return html`<p class="small">A table against bots only does not change your rating.</p>`;
    return html`<p class="small">The table counts in the ratings:
      <a href="/players/${mine.player}/ratings/${table.game}">your rating in ${titleOf(table.game)}</a>${
  rated ? html` went from ${skill(rated.before)} to <b>${skill(rated.after)}</b>` : nothing}.</p>`;
  }

  #next() {
    const { table, mine } = this;
    const started = !NEVER_STARTED.has(table.result.outcome);
    return html`
      <div class="row-of-buttons">
        ${table.tournament ? html`
          <a class="button main" href="/tournaments/${table.tournament.tournament}">
            Back to the tournament</a>` : nothing}
        ${started ? this.#again() : nothing}
        ${started ? html`<a class="button" href="/tables/${table.id}/replay">Replay and verify</a>` : nothing}
        ${started && mine && this.canReview ? html`
          <a class="button" href="/tables/${table.id}/replay?viewer=${mine.seat}&review=">Review my moves</a>` : nothing}
        <a class="button" href="/games/${table.game}">Another table</a>
      </div>
      ${this.refusal('again')}`;
  }

  #again() {
    const { table, mine } = this;
    if (!mine || table.tournament) return nothing;
    const label = table.rematch ? 'Join the rematch' : 'Play again';
    return html`<button class="main" ?disabled=${this.busy} @click=${() => this.#replay()}>${label}</button>`;
  }

  // The first player to ask gets a seat immediately; the others have one kept for them and take it here.
  async #replay() {
    const opened = await this.run('again', () => api.post(`${this.path}/rematch`));
    if (!opened) return;
    const { id, phase, seats } = opened.view;
    const isKept = seats.some((seat) => seat.offered_to === session.player?.id);
    // If the seat is gone meanwhile, the rematch's own room shows so.
    if (phase === 'open' && isKept) await sitDown(id).catch(() => {});
    // Nobody else has to come.
    if (phase === 'open' && isAmongBots(this.table)) await api.post(`/v1/tables/${id}/start`).catch(() => {});
    go(`/tables/${id}`);
  }
}

const skill = ({ mu }) => mu.toFixed(1);

customElements.define('hw-outcome', Outcome);
