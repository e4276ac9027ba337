/** What the form of a new tournament begins with, and the request that it becomes. */
import { SETTINGS, followsFromEntrants } from './settings.js';

/** The tie-breaks that suit a system. */
export function usualTiebreaks({ format, seats }) {
  if (format === 'knockout') return [];
  if (format === 'league') return ['wins', 'difference'];
  if (format === 'round_robin')
    return Number(seats) === 2 ? ['direct', 'sonneborn_berger', 'wins'] : ['wins', 'difference'];
  return Number(seats) === 2
    ? ['buchholz_cut1', 'buchholz', 'sonneborn_berger', 'wins']
    : ['buchholz', 'wins', 'difference'];
}

/** What starts the rounds: people who meet at times that nobody has stated would be paired at once otherwise. */
export const usualAdvance = ({ sittings }) =>
  sittings.length > 1 && sittings.some(({ starts_at: at }) => !at) ? 'manual' : 'automatic';

/** What the form begins with: a name and a game are enough. */
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

/** The body of `POST /v1/tournaments`; what does not apply, or was left empty, is left out. */
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

/** The options of the game that differ from its defaults. */
function optionsOf(values, options) {
  const given = Object.entries(values).filter(
    ([name, value]) => value !== options.find((option) => option.name === name)?.default,
  );
  return Object.fromEntries(given);
}
