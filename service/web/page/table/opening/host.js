/** `hw-host-desk`: what the host can do before the start, besides seating single bots and freeing seats. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { gameInfo } from '../../kit/games.js';
import { session } from '../../kit/session.js';
import { humanised } from '../../kit/words.js';
import { AtTable, nameAt } from '../at_table.js';
import { confirmed } from '../confirmed.js';

class HostDesk extends AtTable {
  /** How the bots play that the host seats. */
  policy = 'steady';

  policies = [{ name: 'steady', meaning: '' }];

  #asked = false;

  async #learn() {
    this.#asked = true;
    const { policies } = await gameInfo(this.table.game).catch(() => ({}));
    if (policies) this.set({ policies });
  }

  template() {
    const { seats } = this.table;
    if (!this.#asked) this.#learn();
    const free = seats.filter((seat) => !seat.player && !seat.offered_to);
    const others = seats.filter(({ player, policy }) => player && !policy && player !== session.player?.id);
    return html`
      <section class="panel" aria-labelledby="host-desk">
        <h2 id="host-desk">You are the host</h2>
        <div class="field">
          <label for="policy">Bots</label>
          <span class="with-button">
            <select id="policy" aria-describedby="policy-meaning"
              @change=${(event) => this.set({ policy: event.target.value })}>
              ${this.policies.map(({ name }) => html`
                <option value=${name} ?selected=${name === this.policy}>${humanised(name)}</option>`)}
            </select>
            <button ?disabled=${!free.length || this.busy} @click=${() => this.#fill(free)}>
              Fill with bots</button>
          </span>
          <p class="small" id="policy-meaning">
            ${this.policies.find(({ name }) => name === this.policy)?.meaning ?? ''}</p>
        </div>
        ${this.refusal('bots')}
        ${free.length ? this.#offering() : nothing}
        ${others.length ? this.#handingOver(others) : nothing}
        <button class="danger" ?disabled=${this.busy} @click=${() => this.#close()}>Close the table …</button>
        ${this.refusal('close')}
      </section>`;
  }

  #offering() {
    return html`
      <form class="field" @submit=${(event) => this.#offer(event)}>
        <label for="offered">Keep a seat for a player</label>
        <span class="with-button">
          <input id="offered" name="player" required autocomplete="off" spellcheck="false"
            aria-describedby="offered-help">
          <button ?disabled=${this.busy}>Offer a seat</button>
        </span>
        <p class="small" id="offered-help">The player’s id or the link to the player’s page. Only that player
          can take the seat then, and is notified immediately.</p>
        ${this.refusal('offer')}
      </form>`;
  }

  #handingOver(others) {
    return html`
      <form class="field" @submit=${(event) => this.#handOver(event)}>
        <label for="new-host">Hand over the host’s part</label>
        <span class="with-button">
          <select id="new-host" name="player">
            ${others.map(({ seat, player }) => html`
              <option value=${player}>${nameAt(this.table, seat)}</option>`)}
          </select>
          <button ?disabled=${this.busy}>Hand over</button>
        </span>
        ${this.refusal('host')}
      </form>`;
  }

  // One after another, so that a refusal names the seat at which it stopped.
  #fill(free) {
    return this.ask('bots', async () => {
      let answer;
      for (const { seat } of free) {
        answer = await api.post(`${this.path}/seats`, { seat, policy: this.policy });
      }
      return answer;
    });
  }

  async #offer(event) {
    event.preventDefault();
    const form = event.target;
    const player = new FormData(form).get('player').trim().replace(/^.*\/players\//, '');
    if (await this.post('offer', 'offers', { player })) form.reset();
  }

  #handOver(event) {
    event.preventDefault();
    return this.post('host', 'host', { player: new FormData(event.target).get('player') });
  }

  async #close() {
    const isSure = await confirmed({
      title: 'Close the table?',
      text: 'It ends before it has begun, and everybody who sits here has to look for another one.',
      yes: 'Close the table',
      no: 'Keep it open',
    });
    if (isSure) await this.post('close', 'close', { confirm: true });
  }
}

customElements.define('hw-host-desk', HostDesk);
