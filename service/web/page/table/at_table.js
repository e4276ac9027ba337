/** The base class of the elements around a table, which draw the live view that their parent gives them. */
import { nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { style } from '../kit/router.js';
import { session } from '../kit/session.js';
import { failure } from '../kit/words.js';

// Not awaited, so that a table in play is drawn as soon as possible.
style('room').catch(() => {});

export { nameAt } from './scene/names.js';

export class AtTable extends Room {
  #table = null;

  /** The place on the page of the pending command, or '' if there is none. */
  busy = '';

  #failed = null;

  /** The `view` of the newest message about the table. */
  get table() {
    return this.#table;
  }

  set table(view) {
    this.#table = view;
    this.update();
  }

  enter() {
    // A parent may set the property before this module has defined the element; then it hides the accessor.
    if (Object.hasOwn(this, 'table')) {
      const { table } = this;
      delete this.table;
      this.table = table;
    }
    this.listen(session, 'change', () => this.update());
  }

  draw() {
    if (this.#table) super.draw();
  }

  /** The viewer's seat, or null. Found by id, because a stream opened before signing in names no seat. */
  get mine() {
    const me = session.player?.id;
    return (me && this.#table.seats.find(({ player }) => player === me)) ?? null;
  }

  get isHost() {
    return Boolean(session.player) && session.player.id === this.#table.host;
  }

  get path() {
    return `/v1/tables/${this.#table.id}`;
  }

  /** Sends a POST request to a path below the table's; see `run`. */
  post(place, path, body) {
    return this.run(place, () => api.post(`${this.path}/${path}`, body));
  }

  /**
   * Runs a command unless another one is pending. If it fails, `refusal(place)` shows the error.
   *
   * An answer about this table is drawn. It has the fields of a message of the stream, so it also goes to the parent
   * as the event `answer`.
   */
  async run(place, command) {
    if (this.busy) return null;
    this.#failed = null;
    this.set({ busy: place });
    try {
      const answer = await command();
      if (answer?.view?.id === this.#table.id) this.#take(answer);
      return answer;
    } catch (problem) {
      this.#failed = { place, problem };
      return null;
    } finally {
      this.set({ busy: '' });
    }
  }

  #take(answer) {
    if (answer.version > this.#table.version) this.table = answer.view;
    this.dispatchEvent(new CustomEvent('answer', { detail: answer, bubbles: true }));
  }

  refusal(place) {
    return this.#failed?.place === place ? failure(this.#failed.problem) : nothing;
  }

  refusedWith(code) {
    return this.#failed?.problem.code === code;
  }
}
