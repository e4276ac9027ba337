/** `hw-learn` with the attribute `game`: a first round on a real table, with slow bots and lessons. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { gameInfo, titleOf } from '../kit/games.js';
import { openTable, refusal } from '../kit/opening.js';
import { go } from '../kit/router.js';
import { failure, loading, setTitle } from '../kit/words.js';

/** Slow enough to read a sentence about every move. */
const BOT_DELAY_MS = 2500;
/** Long enough to read the count; a player who has read it can end the pause. */
const ROUND_PAUSE_MS = 180_000;
const FEW_SEATS = 3;

/** What makes a table short, by game; what a game has no option for stays as it is. */
const SHORT = { double_blind: { target_score: 1 } };

class Learn extends Room {
  info = null;

  problem = null;

  isOpening = false;

  enter() {
    setTitle(`Learn ${titleOf(this.#game)}`);
    this.#load();
  }

  get #game() {
    return this.getAttribute('game');
  }

  async #load() {
    try {
      this.set({ info: await gameInfo(this.#game), problem: null });
    } catch (problem) {
      this.set({ problem });
    }
  }

  template() {
    if (!this.info) {
      return html`<section class="page"><h1>Learn ${titleOf(this.#game)}</h1>
        ${this.problem ? failure(this.problem, () => this.#load()) : loading()}</section>`;
    }
    const { title, aim } = this.info;
    const { seats, options } = this.#opening();
    const isOneRound = options.rounds === 1 || options.target_score;
    return html`
      <section class="page learn">
        <h1>Learn ${title}</h1>
        ${aim ? html`<p class="aim">${aim.replaceAll('*', '')}</p>` : nothing}
        <p>You learn it by playing: ${isOneRound ? 'one round' : 'a short game'} against
          ${seats === 2 ? 'a bot that takes its time' : `${seats - 1} bots that take their time`}. A panel next to the table explains what is
          happening, what you may do, and why you might. Nothing counts, and you can ask for the rules at any time.</p>
        <p class="row-of-buttons">
          <button class="main" ?disabled=${this.isOpening} @click=${() => this.#begin()}>
            ${this.isOpening ? 'Dealing …' : 'Begin'}</button>
          <a class="button" href="/rules/${this.#game}">Read the rules first</a>
        </p>
        ${this.problem ? html`<p class="notice failed" role="alert">${refusal(this.problem)}</p>` : nothing}
      </section>`;
  }

  // The fewest seats and rounds with which the game is still itself.
  #opening() {
    const { name, seats, options } = this.info;
    const rounds = options.find((option) => option.name === 'rounds')?.form.minimum;
    return {
      game: name,
      seats: Math.min(seats.most, Math.max(seats.fewest, FEW_SEATS)),
      options: { ...(rounds && { rounds }), ...SHORT[name] },
    };
  }

  async #begin() {
    this.set({ isOpening: true, problem: null });
    try {
      const table = await openTable({
        ...this.#opening(),
        bots: 'steady',
        bot_delay: BOT_DELAY_MS,
        round_pause: ROUND_PAUSE_MS,
        rated: false,
        private: true,
      });
      go(`/tables/${table}?learn=1`);
    } catch (problem) {
      this.set({ isOpening: false, problem });
    }
  }
}

customElements.define('hw-learn', Learn);
