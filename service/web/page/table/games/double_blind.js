/** The Double Blind: everybody sees your pocket but you, and your left neighbour plays it. */
import { count } from '../../kit/words.js';
import { namesOf, yourSeat } from '../scene/names.js';
import { fan, lastTrick, pile, row, stack, trick } from '../scene/zones.js';

const targetOf = (seat, table) => (seat - 1 + table.seats.length) % table.seats.length;

export const description = {
  zones(view, table) {
    const room = table.seats.length;
    const bribes = view.middle.filter(({ bribed }) => bribed).map(({ seat }) => seat);
    const note = bribes.length ? `bribes: ${bribes.join(', ')}` : undefined;
    const hat = trick('middle', 'hat', view.middle, { room, note });
    return {
      centre: [
        stack('bank', 'bank', view.stock_count),
        view.middle.length ? hat : lastTrick(view, namesOf(table), 'last hat', { room }) ?? hat,
        view.lost.length ? { ...pile('lost', 'hats that nobody won', view.lost), caption: 'lost' } : null,
      ],
      seats: table.seats.map(({ seat }) => [
        pocket(view, table, seat),
        fan(`sleeve.${seat}`, 'sleeve', view.sleeves[seat], { seat, sorted: true, kind: 'held', room: 3 }),
        stack(`loot.${seat}`, 'loot', view.loot_counts[seat], { seat }),
      ]),
      facts: [
        ['Bonus', view.bonus ? count(view.bonus, 'point') : 'none'],
      ],
    };
  },

  round: 'Caper',

  places: {
    play_pocket: ({ slot }, me, table) => [[`pocket.${targetOf(me, table)}`, slot]],
    bribe: ({ card }, me) => [[`sleeve.${me}`, card]],
  },

  verbs: { play_pocket: 'Play', bribe: 'Bribe with', expose_pocket: 'Expose', expose_sleeve: 'Show' },

  prompts: {
    hat: 'Play from the pocket on your right, or bribe from your sleeve.',
    trick: 'A tie: play again, from the pocket on your right or from your sleeve.',
  },

  counting: ['double_blind.stashes_revealed', 'double_blind.caper_scored'],

  count(event, events) {
    if (event.type === 'double_blind.stashes_revealed') {
      return {
        title: 'Cards left: pockets count for nobody, sleeves for their owners',
        winner: null,
        shows: ['pockets', 'sleeves'],
        rows: event.data.pockets.map((pocket, seat) => ({
          seat, cards: [...pocket.filter((card) => card), ...event.data.sleeves[seat]], value: null, note: '' })),
      };
    }
    const { points, jokers, penalties, queens_fools: fools } = event.data;
    const { sleeves } = events.find(({ type }) => type === 'double_blind.stashes_revealed').data;
    const hats = (seat) => events.filter(({ type, data }) => type === 'double_blind.hat_taken' && data.seat === seat).map(({ data }) => data);
    const bonus = (seat) => hats(seat).reduce((sum, hat) => sum + hat.bonus, 0);
    return {
      title: 'The caper: loot bag and sleeve',
      winner: null,
      rows: points.map((value, seat) => ({
        seat,
        cards: hats(seat).flatMap(({ cards }) => cards),
        added: sleeves[seat],
        value,
        note: [
          bonus(seat) ? `${bonus(seat)} of them for ties` : '',
          jokers.includes(seat) ? 'Joker: 15 points more' : '',
          penalties[seat] ? `${penalties[seat]} points less for exposures` : '',
          fools.includes(seat) ? `Queen’s Fool: ${event.data.queens_fool_points} points more` : '',
        ].filter(Boolean).join('; '),
      })),
    };
  },
};

// Your own pocket is of no use to you, and that of your right neighbour lies with your cards.
function pocket(view, table, seat) {
  const zone = (title, more) => row(`pocket.${seat}`, title, view.pockets[seat], { seat, ...more });
  if (yourSeat(table) === seat) return zone('your pocket', { kind: 'aside', room: 1.7 });
  if (!isYours(table, seat)) return zone('pocket', { kind: 'shown', room: 3.4 });
  return { ...zone('pocket', { kind: 'yours', note: 'you play it' }), caption: `${namesOf(table)[seat]}’s pocket` };
}

function isYours(table, seat) {
  const you = yourSeat(table);
  return you !== null && targetOf(you, table) === seat;
}
