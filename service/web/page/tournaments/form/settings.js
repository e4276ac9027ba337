/** The settings of a new tournament: labels, help, limits and when each applies. */
import { ADVANCE, FORMATS, RANK_BY, SCORE_BY } from '../terms.js';

const isSwissOrLeague = ({ format }) => format === 'swiss' || format === 'league';
const HALVES = { 0: ['0', ''], '1/2': ['½', ''], 1: ['1', ''] };

/** True if the number of rounds depends on the number of entrants. */
export const followsFromEntrants = ({ format, seats }) =>
  format === 'knockout' || (format === 'round_robin' && Number(seats) === 2);

/** The section that is always open. */
export const BASICS = 'The tournament';

/**
 * @typedef {{name: string, label: string, help?: string,
 *   kind: 'text'|'number'|'check'|'choice'|'lines'|'tiebreaks'|'sittings', choices?: object, min?: number, max?: number, unit?: string, scale?: number,
 *   when?: (values: object) => boolean}} Setting `scale` converts the form's unit to the API's
 * @type {[string, string, Setting[]][]} section, what it is about, and its settings
 */
export const SECTIONS = [
  [
    BASICS,
    '',
    [
      { name: 'name', label: 'Name', kind: 'text', help: 'Shown in the list of tournaments.' },
      { name: 'game', label: 'Game', kind: 'choice', choices: {} },
      { name: 'format', label: 'System', kind: 'choice', choices: FORMATS },
      {
        name: 'seats',
        label: 'Seats at a table',
        kind: 'number',
        min: 2,
        max: 10,
        help: 'The usual size. If entrants do not divide evenly, some tables have fewer.',
      },
    ],
  ],
  [
    'Sittings and times',
    'When people meet, and how long they have.',
    [
      {
        name: 'sittings',
        label: 'Sittings',
        kind: 'sittings',
        help: 'A sitting is a meeting for one or more rounds.',
      },
      { name: 'advance', label: 'The next round starts', kind: 'choice', choices: ADVANCE },
      {
        name: 'check_in',
        label: 'Check-in',
        kind: 'number',
        unit: 'minutes',
        scale: 60,
        min: 0,
        help: 'How long before a sitting check-in opens; 0 for no check-in.',
      },
      {
        name: 'grace_seconds',
        label: 'Grace time',
        kind: 'number',
        unit: 'minutes',
        scale: 60,
        min: 0,
        help: 'Entrants who have not appeared at their table by then lose the seat to a bot.',
      },
      {
        name: 'turn_seconds',
        label: 'Turn clock',
        kind: 'number',
        unit: 'seconds',
        min: 0,
        help: 'Time for each turn; 0 for no clock. Without one, a missing player can hold up everybody.',
      },
      {
        name: 'bot_delay',
        label: 'Bots wait',
        kind: 'number',
        unit: 'seconds',
        scale: 1000,
        min: 0,
        help: 'Before each turn, so people can follow. Default: about a second.',
      },
      {
        name: 'round_pause',
        label: 'Pause after a deal',
        kind: 'number',
        unit: 'seconds',
        scale: 1000,
        min: 0,
        help: 'How long the cards stay on the table before the next deal. Leave empty for the default.',
      },
    ],
  ],
  [
    'Points and places',
    'How tables score, and how ties are broken.',
    [
      { name: 'score_by', label: 'Score by', kind: 'choice', choices: SCORE_BY },
      {
        name: 'tiebreaks',
        label: 'Tie-breaks',
        kind: 'tiebreaks',
        help: 'They rank entrants with the same score, in this order.',
      },
      {
        name: 'strict_places',
        label: 'Break any remaining ties by lot',
        kind: 'check',
      },
      {
        name: 'bye_score',
        label: 'A bye scores',
        kind: 'choice',
        choices: HALVES,
        when: isSwissOrLeague,
        help: 'For an entrant left without a table, as a fraction of a first place.',
      },
      {
        name: 'best_of',
        label: 'Sittings that count',
        kind: 'number',
        min: 1,
        when: ({ format }) => format === 'league',
        help: 'Only each entrant’s best sittings count. Leave empty to count all.',
      },
      {
        name: 'advancing',
        label: 'Entrants who advance from a table',
        kind: 'number',
        min: 1,
        max: 9,
        when: ({ format, seats }) => format === 'knockout' && seats > 2,
        help: 'Default: half of them, or two of three.',
      },
      {
        name: 'third_place',
        label: 'Play for third place',
        kind: 'check',
        when: ({ format, seats }) => format === 'knockout' && Number(seats) === 2,
      },
      {
        name: 'float_window',
        label: 'Score groups at one table',
        kind: 'choice',
        choices: {
          0: ['0', ''],
          1: ['1', ''],
          2: ['2', ''],
          3: ['3', ''],
          4: ['4', ''],
          all: ['any number', ''],
        },
        when: ({ format, seats }) => format === 'swiss' && seats > 2,
        help: 'How many steps may separate the best and the weakest at a table.',
      },
      { name: 'rated', label: 'Its tables count in the ratings', kind: 'check' },
    ],
  ],
  [
    'Who may enter',
    '',
    [
      {
        name: 'cap',
        label: 'At most',
        kind: 'number',
        unit: 'entrants',
        min: 2,
        max: 1000,
        help: 'Others join a waiting list. Leave empty for no limit.',
      },
      { name: 'rank_by', label: 'Starting ranks by', kind: 'choice', choices: RANK_BY },
      {
        name: 'late_until',
        label: 'Late entries until round',
        kind: 'number',
        min: 0,
        when: isSwissOrLeague,
        help: 'The last round a late entrant can start in; 0 for no late entries.',
      },
      {
        name: 'late_score',
        label: 'A round missed by entering late scores',
        kind: 'choice',
        choices: HALVES,
        when: (values) => isSwissOrLeague(values) && values.late_until > 0,
      },
      {
        name: 'requested_byes',
        label: 'Byes that an entrant may request',
        kind: 'number',
        min: 0,
        when: isSwissOrLeague,
        help: 'A round that an entrant asks to sit out; it scores half a first place.',
      },
      {
        name: 'fill_with_bots',
        label: 'Fill empty seats with bots',
        kind: 'check',
        when: ({ seats }) => seats > 2,
      },
      {
        name: 'forbidden',
        label: 'Players who must not meet',
        kind: 'lines',
        when: isSwissOrLeague,
        help: 'One pair per line: the links to the two players’ pages, or their ids.',
      },
    ],
  ],
];

export const SETTINGS = SECTIONS.flatMap(([, , settings]) => settings);
