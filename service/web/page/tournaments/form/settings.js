/**
 * The settings of a new tournament as its form shows them. Bounds, defaults, values and most meanings come from the
 * service; this is what it does not say: order, words for the values, units, and when a setting applies.
 */
import { declaredField } from '../../kit/form.js';
import { humanised } from '../../kit/words.js';
import { ADVANCE, COMPARE, DEALS, FORMATS, RANK_BY, SCORE_BY, VISIBILITY } from '../terms.js';

const isSwissOrLeague = ({ format }) => format === 'swiss' || format === 'league';
const isArena = ({ format }) => format === 'arena';
const isByRounds = (values) => !isArena(values);
const HALVES = { 0: ['0'], '1/2': ['½'], 1: ['1'] };
const halves = (values) => (hasSameDeal(values) ? ['0', '1/2'] : ['0', '1/2', '1']);
const MINUTES = { unit: 'minutes', scale: 60 };
const SECONDS = { unit: 'seconds', scale: 1000 };

/** True if the number of rounds depends on the number of entrants. */
export const followsFromEntrants = ({ format, seats }) =>
  format === 'knockout' || isArena({ format }) || (format === 'round_robin' && Number(seats) === 2);

const mayHaveTeams = ({ format }) => format !== 'knockout';

const mayHaveSameDeal = ({ format }) => format !== 'knockout' && format !== 'arena';

/** True if all tables of a round play the same deal. */
const hasSameDeal = ({ deal, format }) => deal === 'same' && mayHaveSameDeal({ format });

/** The section that is always open. */
export const BASICS = 'The tournament';

/**
 * @typedef {{name: string, label?: string, help?: string, kind?: 'lines', words?: Object<string, string[]>,
 *   choices?: unknown[] | ((values: object) => unknown[]), unit?: string, scale?: number, when?: (values: object) => boolean}} Setting
 *   `words`: title and meaning of each value; `choices`: its values where the service declares no list;
 *   `scale` converts the form's unit to the service's
 * @type {[string, string, Setting[]][]} section, what it is about, and its settings
 */
export const SECTIONS = [
  [BASICS, '', [
    { name: 'name', help: 'Shown in the list of tournaments.' },
    { name: 'game' },
    { name: 'format', label: 'System', words: FORMATS },
    { name: 'seats', label: 'Seats at a table' },
    { name: 'deal', label: 'Deals', words: DEALS, when: mayHaveSameDeal },
  ]],
  ['Sittings and times', 'When people meet, and how long they have.', [
    { name: 'arena_minutes', label: 'The arena lasts', unit: 'minutes', when: isArena,
      help: 'From its beginning to the bell, after which no table opens.' },
    { name: 'finish_minutes', label: 'Tables in play count for', unit: 'minutes', when: isArena,
      help: 'How long tables that are in play at the bell have to end.' },
    { name: 'sittings' },
    { name: 'deals_per_pairing', label: 'Deals against the same opponents',
      when: (values) => hasSameDeal(values) && !values.weekdays,
      help: 'For this many rounds the same players stay together. In each they play the next deal, one seat further on.' },
    { name: 'advance', label: 'The next round starts', words: ADVANCE, when: isByRounds },
    { name: 'check_in', label: 'Check-in', ...MINUTES, when: isByRounds,
      help: 'How long before a sitting check-in opens; 0 for no check-in.' },
    { name: 'grace_seconds', label: 'Grace time', ...MINUTES,
      help: 'Entrants who have not appeared at their table by then lose the seat to a bot.' },
    { name: 'turn_seconds', label: 'Turn clock', unit: 'seconds',
      help: 'Time for each turn; 0 for no clock. Without one, a missing player can hold up everybody.' },
    { name: 'bot_delay', label: 'Bots wait', ...SECONDS,
      help: 'Before each turn, so that people can follow. Leave empty for about a second.' },
    { name: 'round_pause', label: 'Pause after a deal', ...SECONDS,
      help: 'How long the cards stay on the table before the next deal. Leave empty for eight seconds.' },
  ]],
  ['Points and places', 'How tables score, and how ties are broken.', [
    { name: 'score_by', choices: (values) => Object.keys(SCORE_BY).filter((by) => by !== 'points' || !isArena(values)),
      words: SCORE_BY, when: (values) => !hasSameDeal(values) },
    { name: 'compare', label: 'Score by', choices: Object.keys(COMPARE), words: COMPARE, when: hasSameDeal },
    { name: 'tiebreaks' },
    { name: 'strict_places' },
    { name: 'bye_score', choices: halves, words: HALVES, when: isSwissOrLeague,
      help: 'For a round in which an entrant finds no table; a first place scores 1.' },
    { name: 'best_of', label: 'Sittings that count', when: ({ format }) => format === 'league' },
    { name: 'advancing', when: ({ format, seats }) => format === 'knockout' && seats > 2 },
    { name: 'third_place', when: ({ format, seats }) => format === 'knockout' && Number(seats) === 2 },
    { name: 'float_window', label: 'Score groups at one table', choices: [0, 1, 2, 3, 4, 'all'],
      words: { all: ['any number'] }, when: ({ format, seats }) => format === 'swiss' && seats > 2,
      help: 'How many steps may separate the best and the weakest at a table.' },
    { name: 'rated', when: ({ visibility = 'public' }) => visibility === 'public' },
  ]],
  ['Who may enter', '', [
    { name: 'visibility', label: 'The tournament is seen by', words: VISIBILITY },
    { name: 'invited_only', label: 'Players need an invitation code to enter',
      help: 'You find the code, its link and its QR code at your desk.', when: ({ visibility }) => visibility !== 'private' },
    { name: 'approval', label: 'You accept or decline each player',
      help: 'Players ask to enter, and you decide at your desk.' },
    { name: 'min_rating', label: 'Rating at least',
      help: 'As the leaderboard ranks. Unrated players cannot enter then. Leave empty for no bound.' },
    { name: 'max_rating', label: 'Rating at most', help: 'Unrated players may enter. Leave empty for no bound.' },
    { name: 'min_rated_tables', label: 'Rated tables at least',
      help: 'How many rated tables of the game a player must have played; 0 for any number.' },
    { name: 'cap', label: 'At most', unit: 'entrants' },
    { name: 'team_size', label: 'Teams of up to', unit: 'entrants', when: mayHaveTeams,
      help: 'Entrants create teams, and join them with a code. Leave empty for no teams.' },
    { name: 'team_counting', label: 'Counting in each team', unit: 'entrants',
      help: 'Those with the best scores. Leave empty to count all.', when: (values) => mayHaveTeams(values) && values.team_size > 1 },
    { name: 'rank_by', label: 'Starting ranks by', words: RANK_BY },
    { name: 'late_until', label: 'Late entries until round', when: isSwissOrLeague },
    { name: 'late_score', choices: halves, words: HALVES,
      when: (values) => isSwissOrLeague(values) && values.late_until > 0 },
    { name: 'requested_byes', when: isSwissOrLeague },
    { name: 'outside_bots', label: 'Bots of players may enter' },
    { name: 'fill_with_bots', when: ({ seats }) => seats > 2 },
    { name: 'forbidden', label: 'Players who must not meet', kind: 'lines', when: isSwissOrLeague,
      help: 'One pair per line: the links to the two players’ pages, or their ids.' },
  ]],
];

export const SETTINGS = SECTIONS.flatMap(([, , settings]) => settings);

export const labelOf = ({ name, label = humanised(name) }) => label;

export const wordsOf = ({ words }, value) => words?.[value]?.[0] ?? humanised(`${value}`);

/**
 * The field of a setting.
 *
 * @param {Setting} setting
 * @param {{default: unknown, meaning: string, form: object}} declared
 * @param {object} values of all settings, in the form's units; undefined for a default
 */
export function settingField(setting, declared, values) {
  const { default: usual, form } = declared;
  const { words, unit, scale = 1 } = setting;
  const choices = typeof setting.choices === 'function' ? setting.choices(values) : (setting.choices ?? form.enum);
  const value = values[setting.name];
  const about = declaredField(declared);
  const scaled = (number) => (typeof number === 'number' ? number / scale : number);
  const shown = value ?? scaled(usual);
  return {
    ...about,
    kind: setting.kind ?? (choices ? 'choice' : about.kind),
    label: labelOf(setting),
    help: setting.help ?? words?.[shown]?.[1] ?? about.help,
    choices: choices?.map((each) => [each, wordsOf(setting, each)]),
    min: scaled(about.min),
    max: scaled(about.max),
    step: scale > 1 ? 'any' : about.step,
    addon: unit,
    value: shown,
  };
}
