/** What the two games of the Palace family share: players go out one after the other. */
import { nth } from '../../kit/words.js';
import { fan } from '../scene/zones.js';

/** The zones of a seat's playable cards. */
export const own = (me) => [`hand.${me}`, `face_up.${me}`];

/** The step of a round's end in both games of the Palace family: the order in which the seats went out. */
export function finishing({ order }, title) {
  return {
    title,
    winner: null,
    rows: order.map((seat, place) => ({ seat, cards: [], value: null, note: nth(place + 1) })),
  };
}

/** '1st out' for a seat without cards. */
export function out(view, seat) {
  const place = view.finished.indexOf(seat);
  return place < 0 ? undefined : `${nth(place + 1)} out`;
}

/** A seat's hand. */
export const hand = (view, seat, note) => fan(`hand.${seat}`, 'hand', view.hands[seat], { seat, sorted: true, kind: 'held', room: 5, note });
