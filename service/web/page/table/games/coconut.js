/** Coconut: get rid of the hand, then of the face-up cards, then of those face down that nobody has seen. */
import { namesOf } from '../scene/names.js';
import { playedOn, row, stack } from '../scene/zones.js';
import { finishing, hand, out, own } from './palace.js';

export const description = {
  zones(view, table) {
    return {
      centre: [
        stack('stock', 'stock', view.stock_count),
        playedOn(view, namesOf(table), 'pile cleared'),
        stack('set_aside', 'set aside', view.set_aside_count),
      ],
      seats: table.seats.map(({ seat }) => [
        row(`face_down.${seat}`, 'face down', view.face_down[seat], { seat, room: 3, kind: 'under' }),
        row(`face_up.${seat}`, 'face up', view.face_up[seat], { seat, room: 3, kind: 'over' }),
        hand(view, seat, view.step === 'choose' && view.committed[seat] ? 'chosen' : out(view, seat)),
      ]),
      facts: [],
    };
  },

  places: { flip: ({ slot }, me) => [[`face_down.${me}`, slot]] },

  sources: { choose_face_up: (me) => [`hand.${me}`], play: own, sneak: own },

  verbs: { choose_face_up: 'Choose', play: 'Play', sneak: 'Sneak', flip: 'Turn up', pick_up: 'Take the pile' },

  prompts: {
    choose: 'Choose three cards to lie face up in front of you.',
    open: 'You open the round: play your lowest rank, as one card or several.',
    move: 'Play the top card’s rank or a higher one. A 2 or a 10 goes on any card.',
  },

  urgent: { sneak: 'You can sneak: complete four of a kind before the next player acts.' },

  counting: ['coconut.round_scored'],

  count: (event) => finishing(event.data, 'The order in which the players went out'),
};
