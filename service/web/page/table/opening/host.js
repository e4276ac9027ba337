/** `hw-host-desk`: the host's commands before the start, except those of single seats. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { commandForm, field } from '../../kit/form.js';
import { gameInfo } from '../../kit/games.js';
import { session } from '../../kit/session.js';
import { humanised } from '../../kit/words.js';
import { AtTable, nameAt } from '../at_table.js';
import { confirm } from '../../kit/dialog.js';

const BOTS_MS = 15_000;
const MAX_BOTS = 8;

class HostDesk extends AtTable {
  /** The policy of the bots that the host seats. */
  policy = 'steady';

  policies = [{ name: 'steady', meaning: '' }];

  /** The bots of players that are online and play at such a table. */
  #online = [];

  #asked = false;

  enter() {
    super.enter();
    this.every(BOTS_MS, () => this.#lookForBots());
  }

  async #learn() {
    this.#asked = true;
    this.#lookForBots();
    const { policies } = await gameInfo(this.table.game).catch(() => ({}));
    if (policies) this.set({ policies });
  }

  async #lookForBots() {
    const { game, seats, turn_seconds: seconds } = this.table;
    const { bots } = await api.get('/v1/bots', { query: { game, seats: seats.length } }).catch(() => ({ bots: [] }));
    // Without a setting, the table gets two minutes at the start.
    this.#online = bots.filter(({ accepts }) => accepts.turn_seconds <= (seconds ?? 120)).slice(0, MAX_BOTS);
    this.update();
  }

  template() {
    const { seats } = this.table;
    if (!this.#asked) this.#learn();
    const free = seats.filter((seat) => !seat.player && !seat.offered_to);
    const others = seats.filter(({ player, policy }) => player && !policy && player !== session.player?.id);
    return html`
      <section class="panel" aria-labelledby="host-desk">
        <h2 id="host-desk">You are the host</h2>
        ${field({
          id: 'policy',
          label: 'Bots',
          kind: 'choice',
          choices: this.policies.map(({ name }) => [name, humanised(name)]),
          value: this.policy,
          change: (policy) => this.set({ policy }),
          help: this.policies.find(({ name }) => name === this.policy)?.meaning,
          addon: html`<button ?disabled=${!free.length || this.busy} @click=${() => this.#fill(free)}>
            Fill with bots</button>`,
        })}
        ${this.refusal('bots')}
        ${free.length && this.#online.length ? this.#bots() : nothing}
        ${free.length ? this.#offering() : nothing}
        ${others.length ? this.#handingOver(others) : nothing}
        <button class="danger" ?disabled=${this.busy} @click=${() => this.#close()}>Close the table …</button>
        ${this.refusal('close')}
      </section>`;
  }

  #bots() {
    const isAsked = (id) => this.table.seats.some(({ player, offered_to: to }) => id === player || id === to);
    return html`
      <h3 id="online-bots">Bots of players that are online</h3>
      <ul class="plain-list" aria-labelledby="online-bots">${this.#online.map(({ id, name, owner_name: owner }) => html`
        <li><a href="/players/${id}">${name}</a> <span class="small">of ${owner}</span>
          <button ?disabled=${this.busy || isAsked(id)} @click=${() => this.post(`bot ${id}`, 'offers', { player: id })}>
            Offer a seat<span class="unseen"> to ${name}</span></button>
          ${this.refusal(`bot ${id}`)}</li>`)}
      </ul>`;
  }

  #offering() {
    return commandForm({
      line: {
        id: 'offered',
        name: 'player',
        label: 'Keep a seat for a player',
        required: true,
        help: 'The player’s id or the link to the player’s page. Only that player can take the seat then, and is '
          + 'notified immediately.',
      },
      label: 'Offer a seat',
      isBusy: this.busy === 'offer',
      below: this.refusal('offer'),
      send: ({ player }, form) => this.#offer(player, form),
    });
  }

  #handingOver(others) {
    return commandForm({
      line: {
        id: 'new-host',
        name: 'player',
        label: 'Make another player the host',
        kind: 'choice',
        choices: others.map(({ seat, player }) => [player, nameAt(this.table, seat)]),
      },
      label: 'Hand over',
      isBusy: this.busy === 'host',
      below: this.refusal('host'),
      send: ({ player }) => this.post('host', 'host', { player }),
    });
  }

  // One after another, so that a refusal names the seat at which it stopped.
  #fill(free) {
    return this.run('bots', async () => {
      let answer;
      for (const { seat } of free) {
        answer = await api.post(`${this.path}/seats`, { seat, policy: this.policy });
      }
      return answer;
    });
  }

  async #offer(player, form) {
    const id = player.trim().replace(/^.*\/players\//, '');
    if (await this.post('offer', 'offers', { player: id })) form.reset();
  }

  async #close() {
    const isSure = await confirm({
      title: 'Close the table?',
      text: 'It closes before play begins, and everybody here has to find another table.',
      yes: 'Close the table',
      no: 'Keep it open',
    });
    if (isSure) await this.post('close', 'close', { confirm: true });
  }
}

customElements.define('hw-host-desk', HostDesk);
