/** `hw-host-desk`: the host's commands before the start, except those of single seats. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { commandForm, field } from '../../kit/form.js';
import { gameInfo } from '../../kit/games.js';
import { session } from '../../kit/session.js';
import { humanised } from '../../kit/words.js';
import { AtTable, nameAt } from '../at_table.js';
import { confirm } from '../../kit/dialog.js';

class HostDesk extends AtTable {
  /** The policy of the bots that the host seats. */
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
        ${free.length ? this.#offering() : nothing}
        ${others.length ? this.#handingOver(others) : nothing}
        <button class="danger" ?disabled=${this.busy} @click=${() => this.#close()}>Close the table …</button>
        ${this.refusal('close')}
      </section>`;
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
    return this.ask('bots', async () => {
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
