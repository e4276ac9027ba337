/** Blindside: a hidden card before each player, cards kept face down, one drawn and one discarded in each turn. */
import { namesOf, yourSeat } from '../scene/names.js';
import { fan, pile, row, stack } from '../scene/zones.js';

export const description = {
  zones(view, table) {
    return {
      centre: [
        stack('stock', 'stock', view.stock_count),
        pile('discard', 'discard pile', view.discard_top ? [view.discard_top] : [], { count: view.discard_count }),
      ],
      seats: table.seats.map(({ seat }) => [
        row(`blindside.${seat}`, 'Blindside Card', [view.blindsides[seat]], { seat, note: known(view, table, seat), room: 1.6 }),
        fan(`keepers.${seat}`, 'Keeper Pile', view.keepers[seat], { seat, room: 1.9 }),
        fan(`hand.${seat}`, 'hand', view.hands[seat], {
          seat, sorted: true, kind: 'held', note: passing(view, table, seat), room: 4 }),
      ]),
      facts: [],
    };
  },

  places: {
    pass_blindside: ({ card }, me) => [[`hand.${me}`, card]],
    keep: ({ card }, me) => [[`hand.${me}`, card]],
    discard: ({ card }, me) => [[`hand.${me}`, card]],
    draw: ({ source }) => [[source]],
  },

  verbs: { pass_blindside: 'Pass', keep: 'Keep', discard: 'Discard', draw: 'Draw' },

  prompts: {
    pass: 'Pass one card face down to the player on your left. Only you will know it.',
    draw: 'Draw the top card of the stock, or the card on the discard pile.',
    keep: 'Keep one card of your hand, face down.',
    discard: 'Discard one card of your hand. That ends your turn.',
  },

  counting: ['blindside.blindsides_revealed', 'blindside.keepers_revealed'],

  count(event, events) {
    const { winner, blindsided } = event.data;
    const first = event.type === 'blindside.blindsides_revealed';
    const { cards } = events.find(({ type }) => type === 'blindside.blindsides_revealed').data;
    return {
      title: first ? 'First contest: the Blindside Cards' : 'Second contest: Keeper Pile and Blindside Card',
      winner,
      shows: [first ? 'blindsides' : 'keepers'],
      rows: cards.map((card, seat) => ({
        seat,
        cards: first ? [card] : event.data.keepers[seat],
        added: first ? [] : [card],
        value: (first ? event.data.values : event.data.totals)[seat],
        note: blindsided.includes(seat) ? 'BLINDSIDED' : '',
      })),
    };
  },
};

// Only the player who passed a card knows it.
function known(view, table, seat) {
  const giver = (seat - 1 + table.seats.length) % table.seats.length;
  if (table.viewer !== giver || !view.step || [null, '??'].includes(view.blindsides[seat])) return undefined;
  return `known to ${yourSeat(table) === giver ? 'you' : namesOf(table)[giver]}`;
}

const passing = (view, table, seat) => (view.step === 'pass' && view.committed[seat] ? 'chosen' : undefined);
