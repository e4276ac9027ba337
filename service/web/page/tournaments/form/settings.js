/**
 * The settings of a new tournament: what each is called, what it means, and to which tournaments it applies.
 */
import { ADVANCE, FORMATS, RANK_BY, SCORE_BY } from '../terms.js';

const isSwissOrLeague = ({ format }) => format === 'swiss' || format === 'league';
const HALVES = { 0: ['0', ''], '1/2': ['½', ''], 1: ['1', ''] };

/** Whether the number of rounds follows from the number of entrants. */
export const followsFromEntrants = ({ format, seats }) =>
  format === 'knockout' || (format === 'round_robin' && Number(seats) === 2);

/** The section that is always open. */
export const BASICS = 'The tournament';

/**
 * @typedef {{name: string, label: string, help?: string,
 *   kind: 'text'|'number'|'check'|'choice'|'lines'|'tiebreaks'|'sittings', choices?: object, min?: number, max?: number, unit?: string, scale?: number,
 *   when?: (values: object) => boolean}} Setting `scale` is what one of the unit is in the API's own
 * @type {[string, string, Setting[]][]} section, what it is about, and its settings
 */
export const SECTIONS = [
  [
    BASICS,
    '',
    [
      { name: 'name', label: 'Name', kind: 'text', help: 'What it is called in the list of tournaments.' },
      { name: 'game', label: 'Game', kind: 'choice', choices: {} },
      { name: 'format', label: 'System', kind: 'choice', choices: FORMATS },
      {
        name: 'seats',
        label: 'Seats at a table',
        kind: 'number',
        min: 2,
        max: 10,
        help: 'The size to aim for. If the entrants cannot be divided evenly, some tables have fewer.',
      },
    ],
  ],
  [
    'Sittings and times',
    'When people come together, and how long they have.',
    [
      {
        name: 'sittings',
        label: 'Sittings',
        kind: 'sittings',
        help: 'A sitting is a time at which people come together for one round or more.',
      },
      { name: 'advance', label: 'The next round starts', kind: 'choice', choices: ADVANCE },
      {
        name: 'check_in',
        label: 'Check-in',
        kind: 'number',
        unit: 'minutes',
        scale: 60,
        min: 0,
        help: 'How long before a sitting entrants confirm that they are there; 0 for no check-in.',
      },
      {
        name: 'grace_seconds',
        label: 'Grace time',
        kind: 'number',
        unit: 'minutes',
        scale: 60,
        min: 0,
        help: 'An entrant who has not appeared at a table by then loses the seat to a bot.',
      },
      {
        name: 'turn_seconds',
        label: 'Turn clock',
        kind: 'number',
        unit: 'seconds',
        min: 0,
        help: 'The time for each turn. 0 for no clock: then one sleeper holds everybody up.',
      },
      {
        name: 'bot_delay',
        label: 'Bots wait',
        kind: 'number',
        unit: 'seconds',
        scale: 1000,
        min: 0,
        help: 'Before each turn, so that people can follow. Left empty: about a second.',
      },
      {
        name: 'round_pause',
        label: 'Pause after a deal',
        kind: 'number',
        unit: 'seconds',
        scale: 1000,
        min: 0,
        help: 'How long the cards stay on the table before the next deal. Left empty: what suits people.',
      },
    ],
  ],
  [
    'Points and places',
    'What a table is worth, and who comes first among equals.',
    [
      { name: 'score_by', label: 'Score by', kind: 'choice', choices: SCORE_BY },
      {
        name: 'tiebreaks',
        label: 'Tie-breaks',
        kind: 'tiebreaks',
        help: 'They order entrants with the same score, the first one first.',
      },
      {
        name: 'strict_places',
        label: 'Draw lots between entrants who are equal in everything',
        kind: 'check',
      },
      {
        name: 'bye_score',
        label: 'A bye scores',
        kind: 'choice',
        choices: HALVES,
        when: isSwissOrLeague,
        help: 'For an entrant who finds no table because their number is odd, as a part of a first place.',
      },
      {
        name: 'best_of',
        label: 'Sittings that count',
        kind: 'number',
        min: 1,
        when: ({ format }) => format === 'league',
        help: 'Only the best of each entrant. Left empty, all count.',
      },
      {
        name: 'advancing',
        label: 'Entrants who go on from a table',
        kind: 'number',
        min: 1,
        max: 9,
        when: ({ format, seats }) => format === 'knockout' && seats > 2,
        help: 'Left empty: half of them, and two of three.',
      },
      {
        name: 'third_place',
        label: 'Play for the third place',
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
        help: 'How many steps may lie between the best and the weakest at a table.',
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
        help: 'Others are put on a waiting list. Left empty, everybody may enter.',
      },
      { name: 'rank_by', label: 'Starting ranks by', kind: 'choice', choices: RANK_BY },
      {
        name: 'late_until',
        label: 'Late entries until round',
        kind: 'number',
        min: 0,
        when: isSwissOrLeague,
        help: 'The last round in which somebody may still begin. 0 for no late entries.',
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
        help: 'A round without a table, announced beforehand, which scores half of a first place.',
      },
      {
        name: 'fill_with_bots',
        label: 'Bots take the seats that stay free at a table',
        kind: 'check',
        when: ({ seats }) => seats > 2,
      },
      {
        name: 'forbidden',
        label: 'Players who must not meet',
        kind: 'lines',
        when: isSwissOrLeague,
        help: 'One pair a line: the ids of two players, or the addresses of their pages.',
      },
    ],
  ],
];

export const SETTINGS = SECTIONS.flatMap(([, , settings]) => settings);
