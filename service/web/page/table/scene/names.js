/** How cards and players are called at a table. */
import { faceName } from '../../cards/faces.js';

/** The seat of the person who looks; in a replay one may look through the eyes of others, who are not `you`. */
export const yourSeat = ({ viewer, you = viewer }) => (typeof you === 'number' ? you : null);

/** The name of a seat in sentences, as in the history: if two players share a name, it includes the seat. */
export function nameAt(table, seat) {
  const { name } = table.seats[seat];
  if (!name) return `seat ${seat}`;
  const isShared = table.seats.some((other) => other.seat !== seat && other.name === name);
  return isShared ? `${name} (seat ${seat})` : name;
}

/** The names at a table, by seat. */
export const namesOf = (table) => table.seats.map(({ name, seat }) => (name ? nameAt(table, seat) : `Seat ${seat}`));

/** A card as a player names it: by its face, or by its place where the face is hidden. */
export function nameOf({ face, place }, zone, table) {
  const number = Number(place.split('/')[1]) + 1;
  const whose = zone.seat === null || zone.seat === table.viewer ? '' : ` of ${nameAt(table, zone.seat)}`;
  if (zone.form === 'stack') return `the ${zone.title}`;
  if (face === '??') return `${zone.title}${whose}, place ${number}, hidden`;
  return zone.seat === table.viewer ? `${faceName(face)}, ${zone.title}` : `${faceName(face)}, ${zone.title}${whose}`;
}
