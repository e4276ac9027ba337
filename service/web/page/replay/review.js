/** `hw-review`: a player's moves, next to what the bot Expert would have done with the same knowledge. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { settle, working } from '../kit/jobs.js';
import { capital, count, failure } from '../kit/words.js';
import { withCards } from '../text/inline.js';

const QUALITIES = { best: 'As good as Expert', fine: 'Almost as good', slip: 'Slip', mistake: 'Mistake' };

const percent = (share) => `${Math.round(share * 100)}%`;

const instead = ({ best_words: words, best_result: best, result }) => {
  const [higher, own] = [percent(best), percent(result)];
  return `Expert would ${words}${higher === own ? '' : `: ${higher} rather than ${own}`}.`;
};

/** A move and its quality, for the caption of the table. */
const remark = (move) => (
  `${capital(move.played_words)}. ${QUALITIES[move.quality]}.${move.quality === 'best' ? '' : ` ${instead(move)}`}`);

class Review extends Room {
  review = null;

  job = null;

  problem = null;

  isWorking = false;

  /** @param {{playback: import('./playback.js').Playback, seat: number, address: (version: number) => string}} what */
  set of(what) {
    const isNew = what.playback !== this.what?.playback || what.seat !== this.what.seat;
    this.what = what;
    if (isNew && this.isConnected) this.#ask();
    this.update();
  }

  enter() {
    if (this.what) this.#ask();
  }

  #ask() {
    this.set({ review: null });
    return this.#goOn();
  }

  // A long table takes several reviews. Each continues where the last one stopped.
  async #goOn() {
    this.set({ problem: null, job: null, isWorking: true });
    const { what: { playback, seat }, review: earlier } = this;
    const isOld = () => !this.isConnected || playback !== this.what.playback || seat !== this.what.seat;
    const moves = earlier?.moves ?? [];
    try {
      const asked = api.get(`${playback.path}/review`, { query: { seat, after: moves.at(-1)?.version ?? 0 } });
      const found = await settle(asked, (job) => !isOld() && this.set({ job }));
      if (isOld()) return;
      this.set({ review: { ...found, moves: [...moves, ...found.moves] }, isWorking: false });
      const remarks = this.review.moves.map((move) => [move.version - 1, remark(move)]);
      this.dispatchEvent(new CustomEvent('reviewed', { detail: new Map(remarks) }));
      if (found.moves.length) this.#go(found.moves[0]);
    } catch (problem) {
      if (!isOld()) this.set({ problem, isWorking: false });
    }
  }

  // The moment at which the player decided, as the player saw it.
  #go(move) {
    const { playback, seat } = this.what;
    playback.go(move.version - 1);
    playback.see(String(seat));
  }

  #click(event, move) {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#go(move);
  }

  template() {
    const { review } = this;
    if (!review) return html`<div class="reviewing">${this.#progress()}</div>`;
    return html`${this.#summary()}<ol aria-label="Moves">${review.moves.map((move) => this.#line(move))}</ol>`;
  }

  #progress() {
    if (this.problem) return failure(this.problem, () => this.#goOn());
    if (!this.isWorking) return nothing;
    return html`<p role="status">Expert is looking at your moves …</p>${working('Moves compared', this.job)}`;
  }

  #summary() {
    const { moves, scale, left_out: leftOut } = this.review;
    if (!moves.length) return html`<div class="reviewing"><p>There was no move with a choice.</p></div>`;
    const of = (quality) => moves.filter((move) => move.quality === quality).length;
    const { version } = this.what.playback;
    const earlier = moves.findLast((move) => move.version - 1 < version);
    const next = moves.find((move) => move.version - 1 > version);
    return html`
      <div class="reviewing">
        <p role="status">${count(moves.length, 'move')} with a choice: ${of('best')} as good as Expert’s,
          ${of('fine')} almost, ${count(of('slip'), 'slip')}, ${count(of('mistake'), 'mistake')}.
          ${leftOut ? `${count(leftOut, 'later move')} left out.` : nothing}</p>
        ${this.#progress()}
        <p class="row-of-buttons">
          <button ?disabled=${!earlier} @click=${() => this.#go(earlier)}>Previous move</button>
          <button ?disabled=${!next} @click=${() => this.#go(next)}>Next move</button>
          ${leftOut && !this.isWorking && !this.problem ? html`
            <button @click=${() => this.#goOn()}>Compare later moves</button>` : nothing}</p>
        <details><summary>What this compares</summary>
          <p class="small">Expert knew only what you knew. The percentages are the result of the round to expect.
            ${scale}</p></details>
      </div>`;
  }

  #line(move) {
    const { playback, address } = this.what;
    const isHere = playback.version === move.version - 1;
    return html`
      <li><a href=${address(move.version - 1)} aria-current=${isHere ? 'step' : nothing} class=${move.quality}
          @click=${(event) => this.#click(event, move)}>
        <span class="number">${move.version}</span>
        <span>${withCards(capital(move.played_words))}. <b>${QUALITIES[move.quality]}.</b>
          ${move.quality === 'best' ? nothing : withCards(instead(move))}</span></a></li>`;
  }
}

customElements.define('hw-review', Review);
