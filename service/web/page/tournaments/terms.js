/** The words for formats, phases, tie-breaks and scores of tournaments. */

/** Each format: its name and meaning. */
export const FORMATS = {
  swiss: ['Swiss', 'Everybody plays in every round, against others with about the same score.'],
  round_robin: ['Round robin', 'Everybody meets everybody else, equally often if possible.'],
  knockout: ['Knockout', 'The best at each table advance until one is left.'],
  league: [
    'League',
    'A group that meets many times; those who miss a sitting only miss the chance to score.',
  ],
  arena: [
    'Arena',
    'Play as many tables as you can before the bell: you are paired again within seconds. A win is 2, a ' +
      'draw 1. After two wins in a row everything counts double, until a table is not won.',
  ],
};

export const PHASES = {
  draft: 'Draft',
  registration: 'Registration open',
  running: 'Running',
  paused: 'Paused',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

/** Each tie-break: its title, the head of its column, and what it means. */
export const TIEBREAKS = {
  direct: ['Direct encounter', 'Direct', 'Results between entrants with the same score.'],
  buchholz: ['Buchholz', 'Buchholz', 'The sum of the opponents’ scores.'],
  buchholz_cut1: ['Buchholz cut 1', 'Buch. −1', 'Buchholz without the lowest-scoring opponent.'],
  buchholz_median: ['Median Buchholz', 'Median', 'Buchholz without the lowest- and highest-scoring opponents.'],
  sonneborn_berger: [
    'Sonneborn-Berger',
    'S.-B.',
    'The scores of beaten opponents, and half the scores of equal ones.',
  ],
  wins: ['Wins', 'Wins', 'The number of tables won outright.'],
  progressive: [
    'Progressive score',
    'Progr.',
    'The sum of the scores after each round: early points count more.',
  ],
  difference: [
    'Difference',
    'Diff.',
    'The points won at each table, less the mean of the table. A player who left a table has its lowest points there.',
  ],
  lot: ['Lot', 'Lot', 'Drawn by lot from the seeds; nobody can influence it alone.'],
};

export const ADVANCE = {
  automatic: [
    'As soon as the last round is complete',
    'The tournament runs by itself once you have started it.',
  ],
  manual: [
    'When the organiser starts it',
    'You pair each round and start its tables at the organiser’s desk.',
  ],
  schedule: [
    'At the time of its sitting',
    'Each sitting starts at its time; its other rounds follow one after another.',
  ],
};

export const SCORE_BY = {
  place: ['Place', 'First place at a table scores 1 (in an arena 2), last place 0, with equal steps in between.'],
  win: ['Win', 'First place at a table scores 1 (in an arena 2), everything else 0.'],
  points: ['Points', 'The points or tokens that a player wins at the tables.'],
};

/** Which tables play the same deal. */
export const DEALS = {
  independent: ['A new deal at each table', 'Every table has cards of its own.'],
  same: [
    'The same deal at every table',
    'Every table of a round plays the same deal. Each seat is compared with the same seat at the other tables, so ' +
      'skill counts more than cards. It takes three tables or more, best all of one size; nobody sees results of a ' +
      'round before its last table has ended.',
  ],
};

export const COMPARE = {
  matchpoints: ['Matchpoints', 'The share of the others in the same seat that a player beats; an equal one counts half.'],
  difference: ['Difference', 'The points of a player, less the mean of the others in the same seat.'],
  margin: [
    'Margin',
    'The lead of a player over the mean of the table, less a part of the mean lead of the others in the same seat.',
  ],
};

export const RANK_BY = {
  rating: ['Rating', 'Players with a higher rating in this game come first.'],
  lot: ['Lot', 'Drawn from the seed of the tournament.'],
  organiser: ['The organiser', 'You order the entrants at the desk before the start.'],
};

export const VISIBILITY = {
  public: ['Everybody', 'Everybody finds the tournament in the lists.'],
  unlisted: ['Everybody who has the link', 'The tournament is in no list; everybody who has its link sees it.'],
  private: ['Only those who are invited', 'Only entrants, officials and those who have the invitation see the tournament and its tables.'],
};

/** Why an entrant has no table in a round. */
export const WHY = {
  pairing_bye: 'bye',
  requested_bye: 'requested bye',
  assigned_bye: 'bye from the organiser',
  absent: 'absent',
  late: 'not yet entered',
  withdrawn: 'out',
};

/** 'swiss', 4 → 'Swiss, tables of 4' */
export const system = ({ format, seats }) => `${FORMATS[format][0]}, tables of ${seats}`;

/** '1/2' → '½', '3/2' → '1½', '1' → '1' */
export function half(text) {
  const [over, under = '1'] = `${text}`.split('/');
  if (under === '1') return over.replace('-', '−');
  if (under !== '2') return decimals(text, 3);
  const whole = Math.trunc(Number(over) / 2);
  return `${over.startsWith('-') ? '−' : ''}${Math.abs(whole) || ''}½`;
}

/** Formats an exact number such as '17/3', rounded as in the service. */
export function decimals(text, places = 3) {
  const [over, under] = fraction(text);
  const scale = 10n ** BigInt(places);
  const size = over < 0n ? -over : over;
  const scaled = (2n * size * scale + under) / (2n * under);
  const shown = places ? `${scaled / scale}.${`${scaled % scale}`.padStart(places, '0')}` : `${scaled}`;
  return over < 0n && scaled ? `−${shown}` : shown;
}

/** Decimal places for a column of exact numbers: none for integers, one for halves, otherwise three. */
export function decimalsFor(texts) {
  const unders = texts.filter((text) => text !== null).map((text) => fraction(text)[1]);
  if (unders.every((under) => under === 1n)) return 0;
  return unders.every((under) => under <= 2n) ? 1 : 3;
}

function fraction(text) {
  const [over, under = '1'] = `${text}`.split('/');
  return [BigInt(over), BigInt(under)];
}

/** Display names; duplicates get a number or an id in brackets. */
export function namesOf(view) {
  const often = new Map();
  for (const { name } of view.entrants) often.set(name, (often.get(name) ?? 0) + 1);
  const label = (entrant) =>
    often.get(entrant.name) === 1 ? entrant.name : `${entrant.name} (${entrant.number ?? entrant.id.replace(':', ' ')})`;
  const byId = new Map(view.entrants.map((entrant) => [entrant.id, label(entrant)]));
  const byNumber = new Map(view.entrants.map((entrant) => [entrant.number, label(entrant)]));
  return {
    of: (number) => (number === null ? 'a bot' : (byNumber.get(number) ?? `entrant ${number}`)),
    id: (id) => byId.get(id) ?? id,
  };
}
