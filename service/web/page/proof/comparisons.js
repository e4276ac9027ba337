/** Scores of a duplicate tournament: each seat is compared with the same seat elsewhere (D-3, D-5 and D-6). */

/** An exact fraction: numerator and denominator. */
const gcd = (a, b) => (b ? gcd(b, a % b) : a < 0n ? -a : a);
const ratio = (n, d = 1n) => {
  const [top, bottom, by] = [BigInt(n), BigInt(d), gcd(BigInt(n), BigInt(d)) || 1n];
  return bottom < 0n ? { n: -top / by, d: -bottom / by } : { n: top / by, d: bottom / by };
};
const parsed = (text) => ratio(...`${text}`.split('/'));
const sum = (a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d);
const less = (a, b) => a.n * b.d < b.n * a.d;
const total = (fractions) => fractions.reduce(sum, ratio(0));
export const written = ({ n, d }) => (d === 1n ? `${n}` : `${n}/${d}`);

const [ZERO, HALF, ONE] = [ratio(0), ratio(1, 2), ratio(1)];

/** Returns the score of a result among those of its seat; `tables` counts those without a result, too. */
function matchpoints(points, counted, tables) {
  if (counted.length < 3) return HALF;
  const beaten = counted.filter((other) => other < points).length;
  const equal = counted.filter((other) => other === points).length - 1;
  // Neuberg: (M + 1/2) N/n - 1/2 of N - 1, where M is `beaten` and half of `equal`.
  const halves = 2 * beaten + equal + 1;
  return ratio(halves * tables - counted.length, 2 * counted.length * (tables - 1));
}

/** By margin, `results` are leads times the `size` of the table, and the mean of n others counts n/(n + 4). */
const MARGIN_TABLES = 4;

function difference(result, counted, size = null) {
  const others = counted.length - 1;
  const rest = counted.reduce((one, other) => one + other, 0) - result;
  if (others < 2) return ZERO;
  const weight = size ? others + MARGIN_TABLES : others;
  return ratio(result * weight - rest, weight * (size ?? 1));
}

/** Returns the score of each entrant of a round, by starting rank, as fractions. */
function roundScores(facts, round) {
  const [isMatchpoints, isMargin] = ['matchpoints', 'margin'].map((compare) => facts.compare === compare);
  const scores = new Map(round.unplayed.map(({ entrant, score }) => [entrant, isMatchpoints ? parsed(score) : ZERO]));
  for (const [number, first] of facts.firstRounds) {
    if (first > round.round) scores.set(number, isMatchpoints ? parsed(facts.opened.setup.late_score) : ZERO);
  }
  const boards = round.boards.map((seats, index) => boardOf(facts, round, seats, index + 1));
  const compared = new Map();
  for (const board of boards) {
    board.seats.forEach((entrant, seat) => {
      const same = boards.filter(({ seats }) => seats.length === board.seats.length);
      const counted = same.map((other) => other.result(seat, isMargin)).filter(Number.isInteger);
      const points = board.result(seat, isMargin);
      if (entrant === null || !Number.isInteger(points)) return;
      const size = isMargin ? board.seats.length : null;
      compared.set(entrant, isMatchpoints ? matchpoints(points, counted, same.length) : difference(points, counted, size));
    });
  }
  const least = [...compared.values()].reduce((one, other) => (less(other, one) ? other : one), ZERO);
  for (const board of boards) {
    board.seats.forEach((entrant, seat) => {
      const given = isMatchpoints ? board.share(seat) : board.isLost(seat) ? least : ZERO;
      scores.set(entrant, compared.get(entrant) ?? given);
    });
  }
  return scores;
}

/** Returns the result of each seat of a board that counts in comparisons, and what it scores if it does not count. */
function boardOf(facts, round, seats, board) {
  const table = round.tables.find((found) => found.board === board);
  const { outcome, points, places, no_shows: away = [], resigned = [], by_bot: stoodIn = [] } = table?.report ?? {};
  const isAway = (seat) => (table ? away.includes(seat) : round.absent.includes(seats[seat]));
  const appeared = seats.filter((entrant, seat) => entrant !== null && !isAway(seat)).length;
  const isForfeited = appeared < 2;
  const hasResult = (outcome === 'played_out' || outcome === 'last_seat') && !isForfeited;
  const isPlayed = hasResult && !table.isVoid;
  const isCut = outcome === 'last_seat';
  const isOwn = (seat) => !isAway(seat) && !resigned.includes(seat) && !stoodIn.includes(seat);
  const isLastLeft = (seat) => isCut && isOwn(seat);
  const voidScore = parsed(facts.voidScores.get(`${round.round}:${board}`) ?? '1/2');
  return {
    seats,
    result(seat, isMargin) {
      if (!isPlayed || isCut || !isOwn(seat)) return null;
      return isMargin ? points[seat] * seats.length - points.reduce((one, other) => one + other, 0) : points[seat];
    },
    share(seat) {
      if (isAway(seat)) return ZERO;
      if (isPlayed) return places[seat] && isLastLeft(seat) ? ONE : ZERO;
      if (table?.isVoid) return voidScore;
      return isForfeited ? ONE : HALF;
    },
    isLost: (seat) => isAway(seat) || (isPlayed && !isLastLeft(seat)),
  };
}

/** Returns the score of each entrant after all rounds, by starting rank, as text. */
export function duplicateScores(facts) {
  const { best_of: best } = facts.opened.setup;
  const sittings = new Map();
  for (const round of facts.rounds.values()) {
    const held = sittings.get(round.sitting) ?? new Map();
    for (const [entrant, score] of roundScores(facts, round)) {
      held.set(entrant, sum(held.get(entrant) ?? ZERO, score));
    }
    sittings.set(round.sitting, held);
  }
  return facts.entrants.map((_, index) => {
    const scores = [...sittings.values()].map((held) => held.get(index + 1) ?? ZERO);
    scores.sort((one, other) => (less(one, other) ? 1 : less(other, one) ? -1 : 0));
    return written(total(scores.slice(0, best ?? scores.length)));
  });
}
