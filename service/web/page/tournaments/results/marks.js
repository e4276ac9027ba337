/** An entrant's result at a table: a mark for cells, and words for screen readers. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { list } from '../../kit/words.js';
import { WHY, half } from '../terms.js';

/**
 * Reads a table of a board, `deal`, for each of its seats.
 *
 * @returns {{number: number|null, state: 'open'|'none'|'void'|'no_show'|'forfeit'|'played', place?: number,
 *   shared?: boolean, byBot?: boolean}[]} the place is among those who appeared, as the score counts it;
 *   `byBot`: a bot took more than half of the entrant's turns
 */
export function seatsOf(deal) {
  if (deal.ruling) return ruledSeats(deal);
  const { report, seats } = deal;
  const missing = (number, seat) => deal.absent.includes(number) || report?.no_shows.includes(seat);
  const there = seats.filter((number, seat) => number !== null && !missing(number, seat));
  const states = seats.map((number, seat) => {
    if (number !== null && missing(number, seat)) return 'no_show';
    if (deal.is_void) return 'void';
    if (!deal.table) return there.length < 2 ? 'forfeit' : 'open';
    if (!report) return 'open';
    if (
      there.length === 1 &&
      number === there[0] &&
      seats.some((other) => other !== null && other !== number)
    )
      return 'forfeit';
    return report.places ? 'played' : 'none';
  });
  const appeared = seats.map((_, seat) => seat).filter((seat) => states[seat] !== 'no_show');
  return seats.map((number, seat) => {
    const place = report?.places?.[seat];
    if (states[seat] !== 'played') return { number, state: states[seat] };
    const better = appeared.filter((other) => report.places[other] < place).length;
    const equal = appeared.filter((other) => report.places[other] === place).length;
    const byBot = number !== null && report.by_bot?.includes(seat);
    return { number, state: 'played', place: better + 1, shared: equal > 1, byBot };
  });
}

function ruledSeats({ seats, ruling, ruled_seats: ruled }) {
  const { places } = ruling;
  if (!places) return seats.map((number) => ({ number, state: 'void' }));
  const placeOf = (number, at) => places[number === null ? at : ruled.indexOf(number)];
  const there = places.filter((place) => place !== null);
  return seats.map((number, at) => {
    const place = placeOf(number, at);
    if (place === null) return { number, state: 'no_show' };
    if (there.length === 1) return { number, state: 'forfeit' };
    return { number, state: 'played', place, shared: there.filter((other) => other === place).length > 1 };
  });
}

/** The mark of a seat: 1, ½, 0, + or − at tables of two, a place at larger ones; * if a bot mostly played for it. */
export function mark(seat, size) {
  const marks = { open: '·', none: '½', void: 'void', no_show: '−', forfeit: '+' };
  if (seat.state !== 'played') return marks[seat.state];
  const byBot = seat.byBot ? '*' : '';
  if (size === 2) return `${seat.shared ? '½' : seat.place === 1 ? '1' : '0'}${byBot}`;
  return `${seat.shared ? '=' : ''}${seat.place}${byBot}`;
}

/** The same in words: 'won', 'place 2 of 4', 'did not appear'. */
export function marked(seat, size) {
  switch (seat.state) {
    case 'open':
      return 'still playing';
    case 'none':
      return 'no result';
    case 'void':
      return 'voided';
    case 'no_show':
      return 'did not appear';
    case 'forfeit':
      return 'won without playing';
    default:
      return `${placed(seat, size)}${seat.byBot ? ', a bot took most of the turns' : ''}`;
  }
}

function placed({ place, shared }, size) {
  if (size === 2) return shared ? 'drew' : place === 1 ? 'won' : 'lost';
  return `${shared ? 'shared ' : ''}place ${place} of ${size}`;
}

export const seatLine = (seat, size, name, isThrough = false) => html`
  <li class=${isThrough ? 'through' : nothing}><span>${name}</span>${seat.state === 'open' ? nothing : html`
    <b title=${marked(seat, size)}><span aria-hidden="true">${mark(seat, size)}</span><span class="unseen">:
      ${marked(seat, size)}</span></b>`}</li>`;

export const tableAt = (deal) => (deal.report ? `/tables/${deal.table}/replay` : `/tables/${deal.table}`);

// A cache: every update brings new round objects, so no entry goes stale.
const known = new WeakMap();

/** An entrant's round: `{seat, size, board, deal, others, isHidden}`, `{unplayed}`, or null before they entered. */
export function inRound(round, number) {
  if (!known.has(round)) known.set(round, new Map(everybodyIn(round)));
  return known.get(round).get(number) ?? null;
}

function* everybodyIn(round) {
  const isHidden = round.is_embargoed;
  for (const {
    board,
    tables: [deal],
  } of round.boards) {
    for (const [at, seat] of seatsOf(deal).entries()) {
      const others = deal.seats.filter((other, index) => other !== null && index !== at);
      if (seat.number !== null) yield [seat.number, { seat, size: deal.seats.length, board, deal, others, isHidden }];
    }
  }
  for (const unplayed of round.unplayed) yield [unplayed.entrant, { unplayed }];
}

export function cell(found, names, { opponents = true, seats = 2 } = {}) {
  if (!found) return html`<span class="soft"><span aria-hidden="true">–</span><span class="unseen">not yet
    entered</span></span>`;
  if (found.unplayed) {
    const { why, score } = found.unplayed;
    const words = why === 'withdrawn' ? WHY[why] : `${WHY[why]}, ${half(score)}`;
    return html`<span class="soft" title=${words}><span aria-hidden="true">${
      why.endsWith('bye') ? (seats === 2 ? half(score) : 'bye') : '–'
    }</span><span class="unseen">${words}</span></span>`;
  }
  const { seat, size, deal, others, board, isHidden } = found;
  const words = `${marked(seat, size)}${size === 2 && opponents ? ` against ${list(others.map(names.of))}`
    : ''}, board ${board}`;
  const shown = html`<span aria-hidden="true">${mark(seat, size)}</span><span class="unseen">${words}</span>`;
  return deal.is_open && !isHidden
    ? html`<a class="mark ${seat.state}" href=${tableAt(deal)} title=${words}>${shown}</a>`
    : html`<span class="mark ${seat.state}" title=${words}>${shown}</span>`;
}

const OUTCOMES = {
  last_seat: 'ended when one player was left',
  abandoned: 'was abandoned',
  stopped: 'was stopped',
  no_result: 'ended without a result',
  cancelled: 'was cancelled',
  closed: 'was closed',
  expired: 'expired',
};

/** How a table ended, or undefined if it was played out. */
export const outcome = ({ report, is_stopped: stopped }) => (
  stopped && report?.outcome === 'cancelled' ? 'was ended by an official' : OUTCOMES[report?.outcome]);
