/** What is drawn of a table while its round is counted: the state before the count, and what its steps have shown. */
import { isMotionReduced } from './scene/reduced_motion.js';
import { describe } from './scene/scene.js';

/**
 * Returns the suspense after a message: until the count has shown it, nothing tells how a round ended.
 * @param {object|undefined} before the TableView before the message
 * @param {{events?: object[], view: object}} message
 * @param {Suspense|null} present
 */
export function suspenseOf(before, { events = [], view }, present) {
  if (view.stage === 'in_play') return null;
  const isCounted = before && events.some(({ type }) => type === 'table.round_scored');
  return isCounted && !isMotionReduced() ? new Suspense(before, events, describe(view.game).counting) : present;
}

class Suspense {
  #before;

  #shown = [];

  /** The version up to which the events are told. */
  upTo;

  /**
   * @param {object} before the TableView before the count
   * @param {{type: string, version: number}[]} events those that counted the round
   */
  constructor(before, events, counting = []) {
    this.#before = before.view;
    this.upTo = events.find(({ type }) => type === 'table.round_scored' || counting.includes(type)).version - 1;
  }

  /** Shows one more step of the count, with the fields of the game's view that it turns up. */
  show({ version, shows = [] }) {
    this.upTo = version;
    this.#shown.push(...shows);
  }

  /** The TableView to draw instead of the present one. */
  table(view) {
    return { ...view, view: { ...this.#before, ...Object.fromEntries(this.#shown.map((name) => [name, view.view[name]])) } };
  }

  told(events) {
    return events.filter(({ version }) => version <= this.upTo);
  }
}
