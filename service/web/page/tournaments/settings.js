/** The settings of a tournament in words. */
import { html } from '../vendor/lit-html/lit-html.js';
import { titleOf } from '../kit/games.js';
import { count, humanised, list, moment } from '../kit/words.js';
import { ADVANCE, COMPARE, DEALS, FORMATS, RANK_BY, SCORE_BY, TIEBREAKS, VISIBILITY, half } from './terms.js';
import { hasByes, isArena, sittings } from './view.js';

export function settings(room, view) {
  const { setup } = view;
  return html`
    <dl class="facts settings">${facts(room, view)
      .filter(Boolean)
      .map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>
    <h3>Options of ${titleOf(setup.game)}</h3>
    <dl class="facts settings">${Object.entries(setup.options).map(
      ([name, value]) => html`
      <dt>${humanised(name)}</dt><dd>${shown(value)}</dd>`,
    )}</dl>
    <p><a href="/rules/${setup.game}">The rules of ${titleOf(setup.game)}</a></p>`;
}

export const shown = (value) =>
  value === null ? 'by the game' : value === true ? 'yes' : value === false ? 'no' : humanised(`${value}`);

/** 90 → '90 seconds', 300 → '5 minutes' */
const lasting = (seconds) =>
  seconds % 60
    ? count(seconds, 'second')
    : seconds % 3600
      ? count(seconds / 60, 'minute')
      : count(seconds / 3600, 'hour');

/** What a round without a table scores, in words. */
const worth = (score, { deal, compare }) =>
  (deal === 'same' && compare !== 'matchpoints' ? 'nothing, like an average result' : null) ??
  (deal === 'same' && score === '1/2' ? 'a half, like an average result' : null) ??
  ({ 0: 'nothing', '1/2': 'half of a first place', 1: 'a first place' })[score] ??
  `${half(score)} of a first place`;

function facts(room, view) {
  const { setup } = view;
  return [
    ['System', `${FORMATS[setup.format][0]}. ${FORMATS[setup.format][1]}`],
    ['Organiser', html`<a href="/players/${view.organiser}">${room.organiserName ?? view.organiser}</a>`],
    ['Tables', `${count(setup.seats, 'seat')}${setup.fill_with_bots ? ', filled with bots' : ''}`],
    ...(isArena(view) ? arena(view) : byRounds(view)),
    // A link sends no token, so nobody would get the calendar of a private tournament.
    setup.visibility !== 'private' && setup.sittings.some(({ starts_at: at }) => at) && ['Calendar', html`<a href="${room.live.path}/calendar">Add the
      sittings to your calendar</a>`],
    ['Turn clock', setup.turn_seconds ? `${lasting(setup.turn_seconds)} for each turn` : 'none'],
    [
      'Grace time',
      `${lasting(setup.grace_seconds)} to appear at a table before losing the seat`,
    ],
    ...scoring(setup),
    [
      'Tie-breaks',
      setup.tiebreaks.length ? setup.tiebreaks.map((name) => TIEBREAKS[name][0]).join(', then ') : 'none',
    ],
    [
      'Strict places',
      setup.strict_places ? 'lots break any remaining tie' : 'tied entrants share their place',
    ],
    ['Starting ranks', RANK_BY[setup.rank_by][0].toLowerCase()],
    ...byes(setup),
    setup.cap !== null && ['Entrants', `at most ${setup.cap}`],
    setup.team_size !== null && ['Teams', `of up to ${setup.team_size} entrants, and ${
      setup.team_counting === setup.team_size ? 'every entrant counts' : `the best ${setup.team_counting} of each team count`}`],
    setup.outside_bots && ['Bots of players', 'may enter'],
    ...admission(setup),
    ...special(room, setup),
    ['Ratings', setup.rated ? 'tables count' : 'tables do not count'],
  ];
}

function arena({ setup }) {
  const [{ starts_at: begins }] = setup.sittings;
  return [
    ['Time', `${count(setup.arena_minutes, 'minute')}, then ${count(setup.finish_minutes, 'minute')} for tables in play`],
    ['Begins', begins ? moment(begins) : 'when the organiser starts it'],
    ['Late entries', 'until the bell'],
  ];
}

const byRounds = (view) => [
  ['Rounds', view.rounds_planned ?? 'depends on the number of entrants'],
  ...times(view),
  ['Next round', ADVANCE[view.setup.advance][0]],
  ['Check-in', view.setup.check_in ? `${lasting(view.setup.check_in)} before each sitting` : 'none'],
];

function scoring(setup) {
  if (setup.deal !== 'same') return [['Score by', SCORE_BY[setup.score_by][0].toLowerCase()]];
  const [name, meaning] = COMPARE[setup.compare];
  const together = setup.deals_per_pairing > 1 && ` The same opponents play ${setup.deals_per_pairing} rounds in a row.`;
  return [['Deals', `${DEALS.same[1]}${together || ''}`], ['Score by', `${name.toLowerCase()}. ${meaning}`]];
}

function admission(setup) {
  const { visibility, min_rating: low, max_rating: high, min_rated_tables: tables } = setup;
  return [
    visibility !== 'public' && ['Who sees it', VISIBILITY[visibility][1]],
    setup.invited_only && ['Entry', 'with the invitation code'],
    setup.approval && ['Approval', 'the organiser accepts or declines each player'],
    low !== null && ['Rating', `at least ${low}; unrated players cannot enter`],
    high !== null && ['Rating', `at most ${high}; unrated players may enter`],
    tables > 0 && ['Experience', `at least ${count(tables, 'rated table')} of this game`],
  ];
}

const times = (view) =>
  sittings(view).map(({ number, first, last, startsAt }) => [
    view.setup.sittings.length > 1 ? `Sitting ${number}` : 'Sitting',
    html`${last < first ? 'not needed' : last === Infinity || first === last ? `from round ${first}`
      : `rounds ${first} to ${last}`}${
      startsAt ? html`, ${moment(startsAt)}` : ', no fixed time'
    }`,
  ]);

function byes(setup) {
  if (!hasByes({ setup })) return [];
  return [
    ['Bye', `scores ${worth(setup.bye_score, setup)}; an entrant may request ${count(setup.requested_byes, 'bye')}`],
    [
      'Late entries',
      setup.late_until
        ? `until round ${setup.late_until}; each round missed scores ${worth(setup.late_score, setup)}`
        : 'none',
    ],
  ];
}

function special(room, setup) {
  const { names } = room;
  return [
    setup.best_of !== null && [
      'Best of',
      `the best ${count(setup.best_of, 'sitting')} of each entrant count`,
    ],
    setup.advancing !== null && ['Going on', `the best ${setup.advancing} of each table`],
    setup.third_place && ['Third place', 'has its own match'],
    setup.format === 'swiss' &&
      setup.seats > 2 && [
        'Score groups',
        setup.float_window === 'all'
          ? 'a table may span all of them'
          : `a table may span ${count(setup.float_window, 'step')} without penalty`,
      ],
    setup.forbidden.length > 0 && [
      'Kept apart',
      setup.forbidden.map((pair) => list(pair.map(names.id))).join('; '),
    ],
  ];
}
