/**
 * `hw-filling`: starts the host's table when everybody is there.
 *
 * That is a rematch, or a table of *Play now*, at which bots take the seats that are still free after a while.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { isFilledLater } from '../../kit/opening.js';
import { session } from '../../kit/session.js';
import { duration } from '../../kit/words.js';
import { AtTable } from '../at_table.js';

const SECOND = 1000;
const USUAL_PATIENCE = 30;
const PATIENCES = [[15, '15 seconds'], [30, '30 seconds'], [60, '1 minute'], [300, '5 minutes'], [0, 'not at all']];

class Filling extends AtTable {
  #since = Date.now();

  /** The version that the table must have reached before the next command. */
  #awaited = 0;

  enter() {
    super.enter();
    // Not `every`: those who wait for others look at another tab.
    const timer = setInterval(() => this.#advance(), SECOND);
    this.whenLeaving(() => clearInterval(timer));
  }

  get #isFilled() {
    return isFilledLater(this.table.id);
  }

  get #patience() {
    return (session.preferences.patience ?? USUAL_PATIENCE) * SECOND;
  }

  get #left() {
    return Math.max(0, this.#since + this.#patience - Date.now());
  }

  #advance() {
    if (!this.isHost || this.busy || !(this.#isFilled || this.table.rematch_of)) return;
    if (this.table.version < this.#awaited) return;
    const free = this.table.seats.filter(({ player }) => !player);
    if (!free.length) this.#try(() => api.post(`${this.path}/start`));
    else if (this.#isFilled && this.#patience && !this.#left) {
      this.#try(() => Promise.all(free.map(({ seat }) => (
        api.post(`${this.path}/seats`, { seat, policy: 'steady' })))));
    } else this.update();
  }

  // The stream may show what was done later than the answers do. Somebody may sit down at the same moment; then the
  // command is refused, the table changes, and the next attempt takes that into account.
  async #try(command) {
    const { version } = this.table;
    const answers = await this.run('filling', command);
    this.#awaited = answers ? Math.max(...[answers].flat().map((answer) => answer.version)) : version + 1;
  }

  template() {
    const { seats } = this.table;
    if (!this.isHost || !this.#isFilled || seats.every(({ player }) => player)) return nothing;
    const change = ({ target }) => {
      this.#since = Date.now();
      session.prefer({ patience: Number(target.value) });
    };
    return html`
      <p>${this.#patience ? `Bots take the free seats in ${duration(Math.ceil(this.#left / SECOND) * SECOND)}.`
        : 'Bots do not take the free seats.'}</p>
      <label>Wait <select @change=${change}>${PATIENCES.map(([seconds, words]) => html`
        <option value=${seconds} ?selected=${seconds * SECOND === this.#patience}>${words}</option>`)}</select></label>`;
  }
}

customElements.define('hw-filling', Filling);
