/**
 * A game that the page does not know: its zones are read from the shape of its view.
 *
 * A description has
 * - `zones(view, table)`: what lies where, as `{centre, seats, facts}` of ../scene.js, made of the zones of ../zones.js;
 * - `places`: for each type of action a function from (action, my seat, table) to the cards that stand for it, each as
 *   `[zone or zones, face or index]`, or `[zone]` for a whole pile; an action without an entry is a button;
 * - `sources`: for each type of choice the zones that its cards lie in, as a function of my seat;
 * - `verbs`: what the button of each type says before the picked cards or the player it names, or a function of the cards
 *   in words;
 * - `prompts`: what the player owes, by the view's `step`;
 * - `urgent`: what to say where an action out of turn is possible;
 * - `counting` and `count(event, events)`: the types of the events that count a round, and the step or steps of `../count.js` that
 *   each of them is, where `events` are those of the round;
 * - `round`: what a round is called;
 * - `scoring`: what the score of a round is called, where that is not all of it.
 *
 * All but `zones` may be left out.
 */
import { humanised } from '../../kit/words.js';
import { pile, row, stack } from '../scene/zones.js';

const COMMON = new Set(['round', 'rounds', 'dealer', 'leader', 'to_move', 'step', 'direction', 'stock_count', 'scores', 'last']);
const FACE = /^((10|[2-9TJQKA])[CDHS]|JK|\?\?)$/;

const isFace = (value) => typeof value === 'string' && FACE.test(value);
const isCards = (value) => Array.isArray(value) && value.every((card) => card === null || isFace(card));
const CAPTIONS = { hands: 'hand' };
const words = (name) => CAPTIONS[name] ?? humanised(name).toLowerCase();
const inWords = (value) => ({ true: 'yes', false: 'no' })[value] ?? String(value).replaceAll('_', ' ');

export const description = {
  zones(view, table) {
    const seats = table.seats.map(() => []);
    const centre = [view.stock_count === null || view.stock_count === undefined ? null : stack('stock', 'stock', view.stock_count)];
    const facts = [];
    for (const [name, value] of Object.entries(view)) {
      if (COMMON.has(name) || value === null) continue;
      if (Array.isArray(value) && value.length === seats.length && value.some((each) => isCards(each) && each !== null)
          && value.every(isCards)) {
        value.forEach((cards, seat) => seats[seat].push(row(`${name}.${seat}`, words(name), cards, { seat })));
      } else if (isCards(value) && value.length === seats.length && !name.endsWith('pile')) {
        value.forEach((card, seat) => seats[seat].push(row(`${name}.${seat}`, words(name), [card], { seat })));
      } else if (isCards(value)) centre.push(pile(name, words(name), value));
      else if (isFace(value)) centre.push(pile(name, words(name), [value]));
      else if (typeof value === 'number' && name.endsWith('_count')) {
        const zone = name.slice(0, -'_count'.length);
        if (!view[zone]) centre.push(stack(zone, words(zone), value)); // otherwise its cards are shown
      } else if (typeof value !== 'object') facts.push([humanised(name), inWords(value)]);
    }
    if (view.last?.cards.length) centre.push(row('last', `last ${view.last.kind}`, view.last.cards));
    return { centre, seats, facts };
  },
};
