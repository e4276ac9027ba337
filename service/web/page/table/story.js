/** The story of a finished table in up to three sentences, from its scores and its events. */
import { count, list, signed } from '../kit/words.js';
import { namesOf } from './scene/names.js';

/** What happened, by the types of its events; the first two that did are told. */
const TOLD = [
  ['a Joker was sent', ['shithead.joker_played', 'shithead.joker_countered']],
  ['somebody sneaked', ['coconut.cards_sneaked']],
  ['the pile was burned out of turn', ['shithead.pile_burned']],
  ['the pile was picked up', ['shithead.pile_picked_up', 'coconut.pile_picked_up']],
  ['somebody bribed', ['double_blind.bribe_played']],
  ['a hat was tied', ['double_blind.trick_called']],
];
const often = (times) => ({ 1: 'once', 2: 'twice' }[times] ?? `${times} times`);

/** @returns {string[]} nothing if no round was scored */
export function storyOf(view, events) {
  const rounds = events.filter(({ type }) => type === 'table.round_scored').map(({ data }) => data);
  if (!rounds.length || !view.result.places) return [];
  const names = namesOf(view);
  return [ofTheLead(rounds, names), ofTheRounds(rounds, names, events), ofTheEnd(view, rounds, names)].filter(Boolean);
}

const bestOf = (totals) => totals.flatMap((total, seat) => (total === Math.max(...totals) ? [seat] : []));

function ofTheLead(rounds, names) {
  const leaders = rounds.map(({ totals }) => bestOf(totals));
  if (rounds.length === 1) return `${list(leaders[0].map((seat) => names[seat]))} came out best in the only round.`;
  const alone = leaders.map((seats, index) => ({ seat: seats.length === 1 ? seats[0] : null, round: rounds[index].round }))
    .filter(({ seat }) => seat !== null);
  const changes = alone.filter(({ seat }, index) => index && seat !== alone[index - 1].seat);
  if (!alone.length) return 'Nobody ever led alone.';
  if (!changes.length) return `${names[alone[0].seat]} took the lead in round ${alone[0].round} and was never overtaken.`;
  const { seat, round } = changes.at(-1);
  if (leaders.at(-1).length > 1) return `The lead changed hands ${often(changes.length)} and was shared in the end.`;
  return `The lead changed hands ${often(changes.length)}, and ${names[seat]} took it for good in round ${round}.`;
}

function ofTheRounds(rounds, names, events) {
  const [largest] = rounds.flatMap(({ round, unit, deltas }) => deltas.map((delta, seat) => ({ round, unit, delta, seat })))
    .sort((one, other) => other.delta - one.delta);
  const big = rounds.length > 1
    ? `The biggest gain was ${names[largest.seat]}’s in round ${largest.round}: ${signed(largest.delta)} ${largest.unit}s.` : '';
  const told = TOLD.map(([what, types]) => [what, events.filter(({ type }) => types.includes(type)).length])
    .filter(([, times]) => times).map(([what, times]) => `${what} ${often(times)}`);
  return big || capital(told.slice(0, 2).join(', and '));
}

const capital = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : '');

function ofTheEnd({ result: { places, scores } }, rounds, names) {
  const first = places.indexOf(1);
  const second = places.indexOf(2);
  if (second < 0) return 'In the end, nothing separated the winners.';
  const gap = scores[first] - scores[second];
  return gap > 0 ? `In the end, ${count(gap, rounds[0].unit)} separated ${names[first]} from ${names[second]}.` : '';
}
