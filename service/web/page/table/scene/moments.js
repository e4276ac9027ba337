/** The moments of a table that are worth a celebration. */
import { list } from '../../kit/words.js';
import { namesOf } from './names.js';

/** The moment that an event is, by its type: its picture and its line. */
const MOMENTS = {
  'shithead.pile_burned': ({ seat }, names) => ['fire', `${names[seat]} burns the pile out of turn`],
  'coconut.cards_sneaked': ({ seat }, names) => ['sneak', `${names[seat]} sneaks`],
  'shithead.joker_played': ({ target }, names) => ['joker', `The Joker points at ${names[target]}`],
  'shithead.joker_countered': ({ target }, names) => ['joker', `Countered: now the Joker points at ${names[target]}`],
  'shithead.shithead_named': ({ order }, names) => ['shithead', `${names[order.at(-1)]} is the shithead`],
  'blindside.blindsides_revealed': blindsided,
  'blindside.keepers_revealed': blindsided,
  'table.round_scored': ({ deltas }, names, { game }) => {
    const best = deltas.indexOf(Math.max(...deltas));
    return game === 'double_blind' && deltas.lastIndexOf(deltas[best]) === best && ['caper', `${names[best]} wins the caper`];
  },
  'table.ended': ({ places }, names) => {
    const winners = names.filter((_, seat) => places?.[seat] === 1);
    return winners.length && ['cup', `${list(winners)} ${winners.length > 1 ? 'share the table' : 'wins the table'}`];
  },
};

function blindsided({ blindsided: seats }, names) {
  return seats.length && ['blindsided', `Blindsided: ${list(seats.map((seat) => names[seat]))}`];
}

/**
 * @param {object[]} events those that are new
 * @param {object} before the TableView before them
 * @param {object} view the TableView after them
 * @returns {[string, string][]} pictures and lines
 */
export function momentsOf(events, before, view) {
  const names = namesOf(view);
  const found = events.map(({ type, data }) => MOMENTS[type]?.(data, names, view)).filter(Boolean);
  const [was, is] = [before.view, view.view];
  // If a pile is gone after a play, the player has burned it, or cleared it, as Coconut says.
  const isCleared = is.pile?.length === 0 && JSON.stringify(is.last) !== JSON.stringify(was.last);
  const { seat } = events.findLast(({ data }) => data?.cards ?? data?.card)?.data ?? {};
  if (!found.length && isCleared && is.last?.winner === seat) {
    found.push(['fire', `${names[seat]} ${view.game === 'coconut' ? 'clears' : 'burns'} the pile`]);
  }
  if (was.finished?.length === 0 && is.finished?.length && is.round === was.round) found.push(['first', `${names[is.finished[0]]} is out first`]);
  return found;
}
