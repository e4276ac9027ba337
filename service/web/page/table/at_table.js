/** The base of the elements around a table, which draw the live view of their parent. */
import { nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { style } from '../kit/router.js';
import { session } from '../kit/session.js';
import { failure } from '../kit/words.js';

// Not awaited, so that a table in play is drawn as soon as possible.
style('room').catch(() => {});

/** The name of a seat in sentences; equal names are told apart by their seats, as in the history. */
export function nameAt(table, seat) {
  const { name } = table.seats[seat];
  if (!name) return `seat ${seat}`;
  const isShared = table.seats.some((other) => other.seat !== seat && other.name === name);
  return isShared ? `${name} (seat ${seat})` : name;
}

export class AtTable extends Room {
  #table = null;

  /** The place of the command on its way; one at a time. */
  busy = '';

  #refused = null;

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

  /** The viewer's seat, or null. A stream that began without a player shows none, so the id decides. */
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

  /** Sends `POST …/what`; see `ask`. */
  post(place, what, body) {
    return this.ask(place, () => api.post(`${this.path}/${what}`, body));
  }

  /**
   * Asks for something once, and draws the answer if it is this table's; `refusal(place)` shows a refusal.
   *
   * An answer has the fields of a message of the stream, so it goes to the parent as the event `answer`.
   */
  async ask(place, work) {
    if (this.busy) return null;
    this.#refused = null;
    this.set({ busy: place });
    try {
      const answer = await work();
      if (answer?.view?.id === this.#table.id) this.#take(answer);
      return answer;
    } catch (problem) {
      this.#refused = { place, problem };
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
    return this.#refused?.place === place ? failure(this.#refused.problem) : nothing;
  }

  refusedWith(code) {
    return this.#refused?.problem.code === code;
  }
}
