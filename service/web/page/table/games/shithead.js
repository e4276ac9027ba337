/** Shithead: the last player with cards loses. Jokers send the pile to somebody, who may answer with another Joker. */
import { rankName, rankOf } from '../../cards/faces.js';
import { namesOf } from '../scene/names.js';
import { pile, playedOn, row, stack } from '../scene/zones.js';
import { finishing, hand, out, own } from './palace.js';

const joker = (me) => [...own(me), `blind.${me}`];

export const description = {
  zones(view, table) {
    return {
      centre: [
        stack('removed', 'removed', view.removed_count),
        stack('stock', 'stock', view.stock_count),
        playedOn(view, namesOf(table), 'pile burned'),
        pile('jokers', 'Jokers', view.jokers, { kind: 'rare', room: 1.7 }),
      ],
      seats: table.seats.map(({ seat }) => [
        row(`blind.${seat}`, 'blind', view.blind[seat], { seat, room: 3, kind: 'under' }),
        row(`face_up.${seat}`, 'face up', view.face_up[seat], { seat, room: 3, kind: 'over' }),
        hand(view, seat, view.step === 'swap' && view.ready.includes(seat) ? 'ready' : out(view, seat)),
      ]),
      facts: [
        ['To follow', effective(view.pile)],
        table.seats.length > 2 ? ['Direction', view.direction === 1 ? 'left' : 'right'] : null,
      ],
    };
  },

  places: {
    swap: (action, me) => [[`hand.${me}`, action.hand_card], [`face_up.${me}`, action.face_up_card]],
    flip: ({ slot }, me) => [[`blind.${me}`, slot]],
    play_joker: (action, me) => [[joker(me), 'JK']],
    counter: (action, me) => [[joker(me), 'JK']],
    pick_up: ({ face_up_card: card }, me) => (card ? [[`face_up.${me}`, card]] : []),
  },

  sources: { play: own, burn: own },

  verbs: {
    swap: 'Swap', ready: 'Ready to play', play: 'Play', play_joker: 'Send the pile to', flip: 'Turn up',
    pick_up: (card) => (card ? `Take the pile and the ${card}` : 'Take the pile'), counter: 'Counter with a', accept: 'Accept the pile', burn: 'Burn the pile with',
  },

  prompts: {
    swap: 'Swap hand and face-up cards as you like, then say that you are ready.',
    answer: 'A Joker names you: counter it with your own, or accept the pile.',
    name_target: 'You turned up a Joker. Name the player who is to take the pile.',
    play: 'Play on the pile.',
  },

  urgent: { burn: 'You can burn the pile: complete four of a kind before the next player acts.' },

  counting: ['shithead.shithead_named'],

  count: (event) => finishing(event.data, 'Who went out, and who is the shithead'),
};

/** What has to be followed: an 8 is transparent, and on a 2, a 3 or nothing anything goes (rules of the play). */
function effective(pile) {
  const card = pile.findLast((face) => rankOf(face) !== '8');
  if (!card || '23'.includes(rankOf(card))) return 'any card';
  const rank = rankOf(card);
  return rank === '7' ? 'seven: play lower' : rankName(rank);
}
