/** Blind Don: a row of nine stacks each, the upper card open, the lower one hidden from both players. */
import { namesOf } from '../scene/names.js';
import { lastTrick, pile, row, stack, trick } from '../scene/zones.js';

export const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };

export const description = {
  zones(view, table) {
    const room = 2;
    const lead = trick('trick', 'trick', view.lead ? [view.lead] : [], { room });
    return {
      centre: [
        view.lead ? lead : lastTrick(view, namesOf(table), 'last trick', { room }) ?? lead,
        stack('aside', 'set aside', view.aside.length),
      ],
      seats: table.seats.map(({ seat }) => [stacks(view, seat), captured(view, seat)]),
      facts: [['Trump', view.trump ? { suit: view.trump, text: SUITS[view.trump] } : 'the first suit led']],
    };
  },

  places: { play: ({ position }, me) => [[`row.${me}`, position]] },

  verbs: { play: 'Play' },

  prompts: {
    lead: 'Lead any of your open cards.',
    follow: 'Follow suit if you can. If you cannot, play any open card.',
  },

  scoring: 'The score of the round: tricks and tally',

  counting: ['blind_don.cards_tallied'],

  count: ({ data: { tallies, winner } }, events) => [
    {
      title: 'Points won in tricks',
      winner: null,
      rows: tallies.map((_, seat) => {
        const won = events.filter(({ type, data }) => type === 'blind_don.trick_taken' && data.taker === seat && data.points)
          .map(({ data }) => data);
        const points = won.map((trick) => trick.points);
        return {
          seat, cards: won.flatMap(({ cards }) => cards), value: points.reduce((sum, each) => sum + each, 0), note: points.join(' + ') };
      }),
    },
    {
      title: 'The tally of the captured cards: 8 points for the higher',
      winner,
      rows: tallies.map((value, seat) => ({ seat, cards: [], value, note: winner === seat ? '8 points' : '' })),
    },
  ],
};

/** A seat's row: in each place the open card on the hidden one, or the hidden one alone. */
function stacks(view, seat) {
  const faces = view.face_up[seat].map((face, position) => face ?? view.face_down[seat][position]);
  const zone = row(`row.${seat}`, 'row', faces, { seat });
  zone.cards = zone.cards.map((card, position) => ({
    ...card, under: view.face_up[seat][position] !== null && view.face_down[seat][position] !== null }));
  return { ...zone, kind: 'apart' };
}

// Captured cards were face up in their tricks; the last ones tell the most.
const captured = (view, seat) => pile(`captured.${seat}`, 'captured', view.captured[seat], { seat, kind: 'aside' });
