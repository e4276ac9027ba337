/** *Play on from here*: seats for a new table that continues from a moment of this one. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { api, newKey } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { gameInfo } from '../kit/games.js';
import { go } from '../kit/router.js';
import { keepSeed, prepareSeed, revealSeeds } from '../kit/seeds.js';
import { join } from '../kit/joining.js';
import { failure, humanised } from '../kit/words.js';
import { nameAt } from '../table/scene/names.js';

const choicesOf = (policies) => [
  ['me', 'I sit here'],
  ...policies.map(({ name }) => [name, `${humanised(name)} bot`]),
  ['', 'Free, for somebody else'],
];
// Without people the service would not slow bots down, and nobody could follow them.
const PACE_TO_WATCH = { bot_delay: 1000, round_pause: 5000 };

// A dialog can be opened only once it is in the document.
const openSoon = (dialog) => queueMicrotask(() => { if (dialog?.isConnected && !dialog.open) dialog.showModal(); });

class Fork extends Room {
  #key = newKey();

  policies = [{ name: 'steady' }];

  /**
   * @param {{path: string, version: number, view: object, seat: number|null, leave: () => void}} from
   *   the moment to play on from, and the seat to preselect
   */
  set from(from) {
    this.moment = from;
    // The moment keeps the choices, because the replay may draw this element again while it loads.
    from.seats ??= from.view.seats.map(({ seat }) => (seat === (from.seat ?? 0) ? 'me' : 'steady'));
    gameInfo(from.view.game).then(({ policies }) => this.set({ policies }), () => {});
  }

  get seats() {
    return this.moment.seats;
  }

  // A player can take only one seat, so any other choice of "me" goes to a bot.
  #seat(seat, who) {
    this.#key = newKey();
    const others = this.seats.map((other) => (who === 'me' && other === 'me' ? 'steady' : other));
    this.moment.seats = others.with(seat, who);
    this.update();
  }

  async #open() {
    this.set({ isOpening: true, problem: null });
    try {
      const player = await join();
      this.prepared ??= await prepareSeed();
      const { path, version } = this.moment;
      const answer = await api.post(`${path}/fork`, {
        version,
        seats: this.seats.map((who) => who || null),
        ...(this.prepared && { seed_commitment: this.prepared.commitment }),
        ...(this.seats.every((who) => who && who !== 'me') && PACE_TO_WATCH),
      }, { key: this.#key });
      const { id } = answer.view;
      if (this.prepared) keepSeed(id, 'host', this.prepared);
      // With a free seat the table waits for somebody to join.
      if (this.seats.every(Boolean)) {
        const { view, head } = await api.post(`/v1/tables/${id}/start`, {});
        revealSeeds(api, view, player.id, head);
      }
      this.moment.leave();
      go(`/tables/${id}`);
    } catch (problem) {
      this.set({ isOpening: false, problem });
    }
  }

  template() {
    const { version, view, leave } = this.moment;
    const isFull = this.seats.every(Boolean);
    return html`
      <dialog aria-labelledby="fork-title" @close=${leave}
        ${ref(openSoon)}>
        <form method="dialog" @submit=${(event) => { event.preventDefault(); this.#open(); }}>
          <h2 id="fork-title">Play on from event ${version}</h2>
          <p>A new table starts from this exact position. The current round keeps its deck, which anybody can read
            in this table's log; later rounds get new shuffles. It is for practice and does not count in ratings
            or statistics.</p>
          ${view.seats.map(({ seat, name }) => field({
            id: `fork-${seat}`,
            label: `Instead of ${name ? nameAt(view, seat) : `nobody, seat ${seat}`}`,
            kind: 'choice',
            choices: choicesOf(this.policies),
            value: this.seats[seat],
            change: (who) => this.#seat(seat, who),
          }))}
          ${this.problem ? failure(this.problem) : nothing}
          <p class="row-of-buttons">
            <button class="main" ?disabled=${this.isOpening}>${isFull ? 'Start' : 'Open the table'}</button>
            <button type="button" @click=${({ target }) => target.closest('dialog').close()}>Cancel</button>
          </p>
        </form>
      </dialog>`;
  }
}

customElements.define('hw-fork', Fork);
