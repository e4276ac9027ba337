/** Positions of boards, byes and open matches in a two-player bracket. */
import { hasStarted } from '../view.js';

/** Seeds in bracket order, null for a missing opponent: 6 → [1, null, 4, 5, 2, null, 3, 6] */
function seeded(entrants) {
  let order = [1];
  while (order.length < entrants) order = order.flatMap((seed) => [seed, 2 * order.length + 1 - seed]);
  return order.map((seed) => (seed <= entrants ? seed : null));
}

/**
 * @param {object} view of a knockout at tables of two
 * @param {Map<number, {round: number, place: number|null}>} stages by starting rank: how far each has come
 * @returns {{rounds: Slot[][], third: Slot|null}} the matches of each round from top to bottom,
 *   including future rounds
 * @typedef {{board?: object, bye?: number, expected?: number[]}} Slot
 */
export function lines(view, stages) {
  if (!hasStarted(view)) return { rounds: [], third: null };
  const starters = view.entrants.filter(({ from_round: from }) => from === 1).length;
  const bracket = seeded(starters);
  let line = new Map(bracket.map((number, index) => [number, index]));
  let third = null;
  const rounds = [];
  for (let size = bracket.length / 2, number = 1; size >= 1; size /= 2, number += 1) {
    const slots = Array.from({ length: Math.max(1, size) }, () => ({}));
    const round = view.rounds[number - 1];
    if (round) {
      const isForThird = ({ tables }) =>
        size === 1 && tables[0].seats.some((seat) => (stages.get(seat)?.round ?? number) < number);
      const placed = place(round, line, slots, isForThird);
      third = placed.third ?? third;
      line = placed.line;
    } else {
      expect(slots, line, bracket, number, stages);
    }
    rounds.push(slots);
  }
  return { rounds, third };
}

/** Puts boards and byes into slots. After a changed pairing, two winners can claim the same slot. */
function place(round, line, slots, isForThird) {
  const next = new Map();
  let third = null;
  const put = (numbers, slot) => {
    const own = numbers.map((number) => Math.floor((line.get(number) ?? 0) / 2));
    const at = [...own, ...slots.keys()].find(
      (index) => slots[index] && !('board' in slots[index] || 'bye' in slots[index]),
    );
    if (at === undefined) return;
    slots[at] = slot;
    for (const number of numbers) next.set(number, at);
  };
  for (const board of round.boards) {
    if (isForThird(board)) third = { board };
    else put(board.tables[0].seats, { board });
  }
  for (const { entrant, why } of round.unplayed) if (why === 'pairing_bye') put([entrant], { bye: entrant });
  return { line: next, third };
}

/** Adds the entrants known to play in an unpaired round. */
function expect(slots, line, bracket, number, stages) {
  for (const [entrant, at] of line) {
    const slot = slots[Math.floor(at / 2)];
    if (entrant === null || !slot) continue;
    if (number === 1 || stages.get(entrant)?.round >= number)
      slot.expected = [...(slot.expected ?? []), entrant];
  }
  if (number > 1) line.clear();
}
