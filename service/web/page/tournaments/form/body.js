/** What the new-tournament form suggests, and the request built from it. */
import { enteredValue } from '../../kit/form.js';
import { SETTINGS, followsFromEntrants } from './settings.js';

/** Suggested tie-breaks of a system. */
export function usualTiebreaks({ format, seats }) {
  if (format === 'knockout') return [];
  if (format === 'league' || format === 'arena') return ['wins', 'difference'];
  if (format === 'round_robin')
    return Number(seats) === 2 ? ['direct', 'sonneborn_berger', 'wins'] : ['wins', 'difference'];
  return Number(seats) === 2
    ? ['buchholz_cut1', 'buchholz', 'sonneborn_berger', 'wins']
    : ['buchholz', 'wins', 'difference'];
}

// Several sittings without fixed times: automatic rounds would start right away, before people meet.
export const usualAdvance = ({ sittings }) =>
  sittings.length > 1 && sittings.some(({ starts_at: at }) => !at) ? 'manual' : 'automatic';

/** What suits a system when it is chosen: in an arena, nobody waits long for anybody. */
export const clocksFor = ({ format }) => (format === 'arena'
  ? { turn_seconds: '30', grace_seconds: '1', arena_minutes: '45', finish_minutes: '10' }
  : { turn_seconds: SUGGESTED.turn_seconds, grace_seconds: undefined });

/** An arena is not scored by points. */
export const scoringFor = ({ format, score_by: by }) => ({ score_by: format === 'arena' && by === 'points' ? undefined : by });

/** With the same deal everywhere an average seat scores ½, so a round without a table scores no more. */
export function byesFor({ deal, bye_score: bye = '1', late_score: late = '0' }) {
  if (deal !== 'same') return { bye_score: undefined, late_score: undefined };
  return { bye_score: bye === '1' ? '1/2' : bye, late_score: late === '1' ? '1/2' : late };
}

/** Where the service's own defaults suit programs rather than people. */
export const SUGGESTED = {
  game: '',
  format: 'swiss',
  seats: '4',
  sittings: [{ rounds: '3', starts_at: '' }],
  options: {},
  deal: 'independent',
  compare: 'matchpoints',
  advance: 'automatic',
  turn_seconds: '120',
  tiebreaks: usualTiebreaks({ format: 'swiss', seats: 4 }),
};

/**
 * The body of `POST /v1/tournaments`, without settings that are empty or do not apply.
 *
 * @param {object} values entered, by setting
 * @param {{options: object[], tournament_settings: object[]}} game as the service declares it
 */
export function bodyOf(values, { options, tournament_settings: declared }) {
  const body = { game: values.game, sittings: sittingsOf(values), options: {} };
  for (const option of options) body.options[option.name] = enteredValue(option, values.options[option.name]);
  for (const { name, when, scale = 1 } of SETTINGS) {
    const setting = declared.find((each) => each.name === name);
    if (!setting || name in body || (when && !when(values))) continue;
    const value = enteredValue(setting, values[name]);
    if (name === 'forbidden') body[name] = pairsOf(value);
    else if (name === 'name') body[name] = value?.trim();
    else body[name] = typeof value === 'number' ? Math.round(value * scale) : value;
  }
  return body;
}

const sittingsOf = (values) =>
  values.sittings.map(({ rounds, starts_at: at }, index) => {
    const isOpen = followsFromEntrants(values) && index === values.sittings.length - 1;
    return {
      ...(!isOpen && rounds !== '' && { rounds: Number(rounds) }),
      ...(at && { starts_at: new Date(at).getTime() }),
    };
  });

/** 'https://…/players/ada bob' → [['ada', 'bob']], line by line. */
function pairsOf(text = '') {
  const lines = text.split('\n').filter((line) => line.trim());
  const idOf = (word) => word.split('/').filter(Boolean).at(-1);
  return lines.length ? lines.map((line) => line.trim().split(/[\s,;]+/).map(idOf)) : undefined;
}
