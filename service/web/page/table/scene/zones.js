/**
 * How a game's description makes its zones. Each keeps its `room`, in widths of a card, regardless of its cards, so that
 * nothing on the table moves aside; cards that need more lie closer together.
 */

/** The width of each card in a row. */
const SIDE_BY_SIDE = 1.08;
/** The width of a heap, with the words below it. */
const HEAP = 1.3;

const placed = (id, faces) => faces.map((face, index) => ({ face, place: `${id}/${index}` }));

/** Cards that overlap, such as a hand. */
export const fan = (id, title, faces, { seat = null, sorted = false, note, kind, room = 4 } = {}) => (
  { id, title, seat, form: 'fan', cards: placed(id, faces), count: faces.length, sorted, note, kind, room });

/** Cards side by side, each in its own place; null is an empty place. */
export const row = (id, title, faces, { seat = null, note, kind, room = Math.max(faces.length, 1) } = {}) => ({
  id, title, seat, form: 'row', cards: placed(id, faces), count: faces.filter((face) => face !== null).length,
  note, kind, room: room * SIDE_BY_SIDE });

/** Face-up cards on each other, the last one on top. */
export const pile = (id, title, faces, { seat = null, count = faces.length, note, kind, room = HEAP } = {}) => (
  { id, title, seat, form: 'pile', cards: placed(id, faces), count, note, kind, room });

/** A heap of face-down cards; only its height is visible. */
export const stack = (id, title, count, { seat = null, note, room = HEAP } = {}) => (
  { id, title, seat, form: 'stack', cards: count ? placed(id, ['??']) : [], count, note, room });

/** The cards of a trick, each with the player who played it: `{card, seat}`. */
export function trick(id, title, played, { note, room } = {}) {
  const zone = row(id, title, played.map(({ card }) => card), { note, room });
  zone.cards = zone.cards.map((card, index) => ({ ...card, seat: played[index].seat }));
  return { ...zone, kind: 'trick' };
}

const ending = ({ winner }, names) => (winner === null ? 'nobody won it' : `won by ${names[winner]}`);

/** The last completed trick, shown until the next card is played. */
export function lastTrick({ last }, names, title, { room } = {}) {
  if (!last?.cards.length) return null;
  const shown = trick('last', title, last.cards.map((card, index) => ({ card, seat: last.seats[index] })), { note: ending(last, names), room });
  return { ...shown, taker: last.winner };
}

/** The pile on which all play; while it is empty, the one that was completed last. */
export function playedOn({ pile: cards, last }, names, completed) {
  if (cards.length || !last?.cards.length) return pile('pile', 'pile', cards, { room: 2 });
  return pile('last', completed, last.cards, { note: last.winner === null ? undefined : `by ${names[last.winner]}`, room: 2 });
}
