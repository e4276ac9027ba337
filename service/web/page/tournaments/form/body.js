/** Default values of the new-tournament form, and the request built from it. */
import { SETTINGS, followsFromEntrants } from './settings.js';

/** Default tie-breaks of a system. */
export function usualTiebreaks({ format, seats }) {
  if (format === 'knockout') return [];
  if (format === 'league') return ['wins', 'difference'];
  if (format === 'round_robin')
    return Number(seats) === 2 ? ['direct', 'sonneborn_berger', 'wins'] : ['wins', 'difference'];
  return Number(seats) === 2
    ? ['buchholz_cut1', 'buchholz', 'sonneborn_berger', 'wins']
    : ['buchholz', 'wins', 'difference'];
}

// Several sittings without fixed times: automatic rounds would start right away, before people meet.
export const usualAdvance = ({ sittings }) =>
  sittings.length > 1 && sittings.some(({ starts_at: at }) => !at) ? 'manual' : 'automatic';

export const DEFAULTS = {
  name: '',
  game: '',
  format: 'swiss',
  seats: '4',
  sittings: [{ rounds: '3', starts_at: '' }],
  options: {},
  advance: 'automatic',
  check_in: '0',
  grace_seconds: '5',
  turn_seconds: '120',
  bot_delay: '',
  round_pause: '',
  score_by: 'place',
  tiebreaks: usualTiebreaks({ format: 'swiss', seats: 4 }),
  strict_places: false,
  bye_score: '1',
  best_of: '',
  advancing: '',
  third_place: false,
  float_window: '2',
  rated: true,
  cap: '',
  rank_by: 'rating',
  late_until: '0',
  late_score: '0',
  requested_byes: '1',
  fill_with_bots: false,
  forbidden: '',
};

/** The body of `POST /v1/tournaments`, without settings that are empty or do not apply. */
export function bodyOf(values, options) {
  const body = { game: values.game, options: optionsOf(values.options, options) };
  for (const setting of SETTINGS) {
    const { name, when } = setting;
    if (name === 'game' || (when && !when(values))) continue;
    const value = valueOf(setting, values);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

function valueOf({ kind, name, scale = 1 }, values) {
  const value = values[name];
  switch (kind) {
    case 'number':
      return value === '' ? undefined : Math.round(Number(value) * scale);
    case 'sittings':
      return sittingsOf(values);
    case 'lines':
      return pairsOf(value);
    case 'choice':
      return name === 'float_window' && value !== 'all' ? Number(value) : value;
    default:
      return kind === 'text' ? value.trim() : value;
  }
}

const sittingsOf = (values) =>
  values.sittings.map(({ rounds, starts_at: at }, index) => {
    const isOpen = followsFromEntrants(values) && index === values.sittings.length - 1;
    return {
      ...(!isOpen && rounds !== '' && { rounds: Number(rounds) }),
      ...(at && { starts_at: new Date(at).getTime() }),
    };
  });

function pairsOf(text) {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) =>
      line
        .trim()
        .split(/[\s,;]+/)
        .map((word) => word.split('/').filter(Boolean).at(-1)),
    );
  return pairs.length ? pairs : undefined;
}

/** Game options that differ from their defaults. */
function optionsOf(values, options) {
  const given = Object.entries(values).filter(
    ([name, value]) => value !== options.find((option) => option.name === name)?.default,
  );
  return Object.fromEntries(given);
}
