/** What has just happened in Shithead, and what it means for the next player. */
import { rankOf } from '../../cards/faces.js';
import { the, theCards } from './moment.js';
import { nameAt } from '../scene/names.js';
import { capital } from '../../kit/words.js';

/** The card that has to be followed: the uppermost that is no 8, or null. */
export const effective = (pile) => pile.findLast((face) => rankOf(face) !== '8') ?? null;

/** @param {import('./moment.js').Moment} moment */
export function happened(moment) {
  const { last } = moment;
  if (!last) return '';
  const { seat, cards, card, target, face_up_card: faceUp } = last.data;
  const named = target === undefined ? '' : moment.name(target);
  switch (last.type) {
    case 'shithead.cards_played': return laid(moment, seat, cards);
    case 'shithead.blind_card_played':
      return `${capital(the(card))} was turned up, and can be played. ${laid(moment, seat, [card])}`;
    case 'shithead.blind_card_failed': return `${moment.does(seat, 'turned', 'turned')} up ${the(card)}, `
      + `which could not be played, and took it with the pile. ${leads(moment)}`;
    case 'shithead.pile_picked_up':
      return `${moment.does(seat, 'could not play and has taken', 'have taken')} the `
        + `pile${faceUp ? `, with ${the(faceUp)}` : ''}. ${leads(moment)}`;
    case 'shithead.pile_burned': return `${moment.does(seat, 'has', 'have')} completed four of a kind out of `
      + 'turn. The pile is burned. ';
    case 'shithead.joker_played': return `${moment.does(seat, 'has', 'have')} played a Joker, and names `
      + `${named}. `;
    case 'shithead.joker_countered': return `${moment.does(seat, 'has', 'have')} countered with a Joker, and `
      + `names ${named}. `;
    case 'shithead.pile_accepted': return `${moment.does(seat, 'takes', 'take')} the pile. The Joker leaves `
      + 'the game. ';
    default: return '';
  }
}

function leads({ view, me, table }) {
  if (view.pile.length || view.to_move === null) return '';
  const who = view.to_move === me ? 'You lead' : `${nameAt(table, view.to_move)} leads`;
  return `${who} on the empty pile. `;
}

function laid(moment, seat, cards) {
  const what = `${moment.does(seat, 'has', 'have')} played ${theCards(cards)}. `;
  const rank = rankOf(cards[0]);
  if (!moment.view.pile.length) {
    return rank === 'T' ? `${what}A 10 burns the pile: it leaves the game, and its player leads. `
      : `${what}Four of a kind together burn the pile: it leaves the game, and their player leads. `;
  }
  return what + (meaning(moment, rank, cards.length) ?? '');
}

function meaning({ view, options, seats }, rank, number) {
  // A 5 of the last two players reverses nothing, because there is only one way round.
  if (rank === '5' && seats - view.finished.length <= 2) return 'Between two players a 5 changes nothing. ';
  switch (rank) {
    case '2': return 'Anything may follow a 2. ';
    case '3': return number === 1 || !options.stack_threes
      ? 'A 3 makes the next player miss a turn, and anything may follow. '
      : `${number} threes together make ${number} players miss a turn, if there are that many others. `;
    case '5': return number % 2 || options.stack_fives === 'once'
      ? 'A 5 turns the direction of play around: it now goes '
        + `${view.direction === 1 ? 'clockwise' : 'counter-clockwise'}. `
      : 'Two 5s turn the direction around twice, so nothing changes. ';
    case '7': return 'After a 7 the next card has to be lower, or a power card. ';
    case '8': return 'An 8 is transparent: the card below it has to be followed. ';
    default: return null;
  }
}
