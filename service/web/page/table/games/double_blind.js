/** The Double Blind: everybody sees your pocket but you, and your left neighbour plays it. */
import { count } from '../../kit/words.js';
import { namesOf, yourSeat } from '../scene/names.js';
import { fan, lastTrick, pile, row, stack, trick } from '../scene/zones.js';

const targetOf = (seat, table) => (seat - 1 + table.seats.length) % table.seats.length;

export const description = {
  zones(view, table) {
    const room = table.seats.length;
    const hat = trick('middle', 'hat', view.middle.map(({ card, seat, bribed }) => ({ card, seat, note: bribed ? 'bribe' : undefined })),
      { note: view.bonus ? `${view.bonus} points more for the tie` : undefined, room });
    return {
      centre: [
        stack('bank', 'bank', view.stock_count),
        view.middle.length ? hat : lastTrick(view, namesOf(table), 'last hat', { room }) ?? hat,
        view.lost.length ? pile('lost', 'hats that nobody won', view.lost) : null,
      ],
      seats: table.seats.map(({ seat }) => [
        { ...row(`pocket.${seat}`, 'pocket', view.pockets[seat], { seat, note: pocketNote(table, seat), room: 5 }), kind: isYours(table, seat) ? 'yours' : undefined },
        fan(`sleeve.${seat}`, 'sleeve', view.sleeves[seat], { seat, sorted: true, room: 3 }),
        stack(`loot.${seat}`, 'loot bag', view.loot_counts[seat], { seat, room: 1.9, lines: 3 }),
      ]),
      facts: [
        ['Bonus in the hat', view.bonus ? count(view.bonus, 'point') : 'none'],
        table.options.target_score ? ['Played to', count(table.options.target_score, 'point')] : null,
        ['Caper', view.round],
      ],
    };
  },

  places: {
    play_pocket: ({ slot }, me, table) => [[`pocket.${targetOf(me, table)}`, slot]],
    bribe: ({ card }, me) => [[`sleeve.${me}`, card]],
    expose_pocket: ({ owner, slot }) => [[`pocket.${owner}`, slot]],
    expose_sleeve: ({ card }, me) => [[`sleeve.${me}`, card]],
  },

  verbs: { play_pocket: 'Play', bribe: 'Bribe with', expose_pocket: 'Expose', expose_sleeve: 'Show' },

  prompts: {
    hat: 'Play a card from the pocket of the player on your right, or bribe with a card of your own sleeve.',
    trick: 'The highest cards tie. Play again, from the pocket on your right or your own sleeve.',
  },

  counting: ['double_blind.stashes_revealed', 'double_blind.caper_scored'],

  count(event) {
    if (event.type === 'double_blind.stashes_revealed') {
      return {
        title: 'Cards left: pockets count for nobody, sleeves for their owners',
        winner: null,
        rows: event.data.pockets.map((pocket, seat) => ({
          seat, cards: [...pocket.filter((card) => card), ...event.data.sleeves[seat]], value: null, note: '' })),
      };
    }
    const { points, jokers, penalties, queens_fools: fools } = event.data;
    return {
      title: 'The caper',
      winner: null,
      rows: points.map((value, seat) => ({
        seat,
        cards: [],
        value,
        note: [
          jokers.includes(seat) ? 'Joker: 15 points more' : '',
          penalties[seat] ? `${penalties[seat]} points less for exposures` : '',
          fools.includes(seat) ? `Queen’s Fool: ${event.data.queens_fool_points} points more` : '',
        ].filter(Boolean).join('; '),
      })),
    };
  },
};

function pocketNote(table, seat) {
  const you = yourSeat(table);
  if (you === seat) return 'others see it; your left neighbour plays it';
  return isYours(table, seat) ? 'you play these' : undefined;
}

function isYours(table, seat) {
  const you = yourSeat(table);
  return you !== null && targetOf(you, table) === seat;
}
