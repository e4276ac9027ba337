/**
 * The cards on a table as zones: the one shape that drawing, choosing, animation and speech work on.
 *
 * A game describes its zones in `games/<game>.js`. A game that has no description there is read by `games/generic.js`
 * from the shape of its view, so it can be played, too.
 *
 * @typedef {{face: string|null, place: string, under?: boolean, seat?: number}} Placed
 *   a card's face, `??` if it is hidden, null for an empty place; `place` names it uniquely at the table
 * @typedef {{id: string, title: string, seat: number|null, form: 'fan'|'row'|'pile'|'stack', cards: Placed[],
 *   count: number, room: number, note?: string, sorted?: boolean, caption?: string, taker?: number,
 *   kind?: 'trick'|'apart'|'held'|'shown'|'yours'|'aside'|'under'|'over'|'rare'}} Zone
 *   `fan` overlaps, `row` keeps its places, `pile` shows its last cards, `stack` is a heap of backs with a number;
 *   `room` is the width that is kept for it, in widths of a card; `caption` replaces the title above the viewer's cards;
 *   a `trick` shows who played each card; `apart` cards do not overlap; `held` ones are a hand, which others see as
 *   backs; `shown` ones are a hand that others see; those of another seat that are `yours` to play lie with the viewer's
 *   own; own cards that the viewer never picks lie `aside`; a zone that is `over` another covers the one `under` it;
 *   a `rare` one is shown only while it has cards
 * @typedef {{centre: Zone[], seats: Zone[][], facts: [string, unknown][]}} Scene
 */
import { figure } from '../../kit/words.js';

const DESCRIBED = {
  blind_don: () => import('../games/blind_don.js'),
  blindside: () => import('../games/blindside.js'),
  coconut: () => import('../games/coconut.js'),
  double_blind: () => import('../games/double_blind.js'),
  shithead: () => import('../games/shithead.js'),
};
const descriptions = new Map();

/** Loads the description of a game; call it before drawing one of its tables. */
export async function prepare(game) {
  if (descriptions.has(game)) return;
  const load = DESCRIBED[game] ?? (() => import('../games/generic.js'));
  descriptions.set(game, (await load()).description);
}

/** The description of a game that is prepared; see `games/generic.js` for what one consists of. */
export const describe = (game) => descriptions.get(game);

/** @returns {Scene} what the viewer of this TableView sees */
export function sceneOf(table) {
  const { centre, seats, facts } = describe(table.game).zones(table.view, table);
  const present = (zones) => zones.filter((zone) => zone);
  return { centre: present(centre), seats: seats.map(present), facts: [progressOf(table), ...facts.filter((fact) => fact)] };
}

/** How far along a table is. */
function progressOf({ game, view: { round, rounds }, options: { target_score: target } }) {
  const end = rounds ? ` of ${rounds}` : target ? `, first to ${figure(target)}` : '';
  return [describe(game).round ?? 'Round', `${Math.max(round, 1)}${end}`];
}

/** All zones of a scene. */
export const zonesOf = (scene) => [...scene.centre, ...scene.seats.flat()];

/** The seat through which the table is seen; null for spectators. */
export const seatOf = (table) => (typeof table.viewer === 'number' ? table.viewer : null);
