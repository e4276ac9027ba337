/** How a game's description makes its zones. */

const placed = (id, faces) => faces.map((face, index) => ({ face, place: `${id}/${index}` }));

/** Cards that overlap, such as a hand. */
export const fan = (id, title, faces, { seat = null, sorted = false, note } = {}) => (
  { id, title, seat, form: 'fan', cards: placed(id, faces), count: faces.length, sorted, note });

/** Cards side by side, each in its own place; null is an empty place. */
export const row = (id, title, faces, { seat = null, note } = {}) => (
  { id, title, seat, form: 'row', cards: placed(id, faces), count: faces.filter((face) => face !== null).length, note });

/** Face-up cards on each other, the last one on top. */
export const pile = (id, title, faces, { seat = null, count = faces.length, note } = {}) => (
  { id, title, seat, form: 'pile', cards: placed(id, faces), count, note });

/** A heap of which nothing but its height is seen. */
export const stack = (id, title, count, { seat = null, note } = {}) => (
  { id, title, seat, form: 'stack', cards: count ? placed(id, ['??']) : [], count, note });

/** What was completed last, shown until something new lies there. */
export function last(view, names, title) {
  if (!view.last?.cards.length) return null;
  const { cards, seats, winner } = view.last;
  const zone = row('last', title, cards, { note: winner === null ? 'nobody won it' : `won by ${names[winner]}` });
  zone.cards = zone.cards.map((card, index) => ({ ...card, seat: seats[index] }));
  return zone;
}
