/** The new-series form: that of a tournament, with dates and points. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { go } from '../../kit/router.js';
import { capital, humanised } from '../../kit/words.js';
import { ADVANCE } from '../terms.js';
import { bodyOf } from '../form/body.js';
import { NewTournament } from '../form/form.js';
import { SECTIONS, followsFromEntrants } from '../form/settings.js';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const here = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const zones = () => [...new Set([here(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];

/** '2026-03-05' of a date on this machine's calendar. */
const dayOf = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  .map((part) => `${part}`.padStart(2, '0')).join('-');

const POINTS_BY = {
  place: ['Place', 'Each place in a tournament earns points.'],
  score: ['Score', 'The score in a tournament counts as it is.'],
};

/** The fields of dates and points by their names in the API: group, and how they are drawn. */
const FIELDS = {
  time: ['schedule', { label: 'Starts at', kind: 'time' }],
  zone: ['schedule', { label: 'Time zone', kind: 'choice', choices: zones().map((zone) => [zone, zone]),
    help: 'Tournaments start at this local time, in summer and in winter.' }],
  first_day: ['schedule', { label: 'First day', kind: 'date' }],
  every_weeks: ['schedule', { label: 'Every', kind: 'number', min: 1, max: 8, addon: 'weeks' }],
  tournaments: ['schedule', { label: 'Tournaments', kind: 'number', min: 1, max: 60,
    help: 'How many the season has. Leave empty to end it on the last day instead.' }],
  last_day: ['schedule', { label: 'Last day (optional)', kind: 'date' }],
  opens_hours: ['schedule', { label: 'Registration opens', kind: 'number', min: 1, max: 336, addon: 'hours before' }],
  by: ['points', { label: 'Points by', kind: 'choice', choices: Object.entries(POINTS_BY).map(([by, [word]]) => [by, word]) }],
  places: ['points', { label: 'Points for the places', help: 'For the first place, the second, and so on.' }],
  participation: ['points', { label: 'For taking part', kind: 'number', min: 0, max: 1000, addon: 'points',
    help: 'On top, for everybody who played.' }],
  best_of: ['points', { label: 'Tournaments that count', kind: 'number', min: 1, max: 60,
    help: 'Each player’s best ones. Leave empty to count all.' }],
};

const DATES = 'Dates';

const ADVANCE_IN_SERIES = {
  ...ADVANCE,
  automatic: [ADVANCE.automatic[0], 'Each tournament starts at its time and runs by itself.'],
  manual: [ADVANCE.manual[0], 'You start each tournament, pair its rounds and start its tables at its desk.'],
};

const wordOf = (name) => FIELDS[name]?.[1].label.replace(' (optional)', '') ?? humanised(name);

const numberOf = (text) => (`${text ?? ''}`.trim() === '' ? undefined : Number(text));

class NewSeries extends NewTournament {
  heading = 'New series';

  about = 'A season of tournaments at regular times, with one table for all of them. The service opens each tournament, and '
    + 'starts it unless you start the rounds yourself.';

  label = 'Create the series';

  within = html` › <a href="/series">Series</a>`;

  // The dates come first after the basics; a tournament of a series has one sitting without a time of its own.
  sections = [SECTIONS[0], [DATES, 'On which days, and at which time.', []],
    ['Season', 'How tournaments earn points for the season.', []],
    ['Rounds and clocks', 'How many rounds, and how long people have.', SECTIONS[1][2]], ...SECTIONS.slice(2)];

  unfolded = new Set([DATES]);

  enter() {
    super.enter();
    const tomorrow = new Date(Date.now() + 86_400_000);
    this.value({
      sittings: [{ rounds: '3', starts_at: '' }],
      weekdays: [WEEKDAYS[(tomorrow.getDay() + 6) % 7]],
      time: '20:00', zone: here(), first_day: dayOf(tomorrow), every_weeks: '1', tournaments: '8', opens_hours: '72',
      by: 'place', places: '25, 18, 15, 12, 10, 8, 6, 4, 2, 1', participation: '0',
    });
  }

  async create() {
    const { values } = this;
    const { sittings: [{ rounds }], ...body } = bodyOf({ ...values, sittings: [{ ...values.sittings[0], starts_at: '' }] }, this.game);
    const series = await api.post('/v1/series', { ...body, ...(rounds && { rounds }), schedule: schedule(values), points: points(values) });
    go(`/series/${series.id}`);
  }

  faultsOf(problem) {
    const faults = super.faultsOf(problem);
    for (const { name, detail } of problem.faults ?? []) {
      const own = name.split('.')[1];
      if (own in FIELDS) faults[own] = detail;
      if (own === 'weekdays') faults.weekdays = 'Choose at least one day.';
      if (name === 'rounds') faults.sittings = detail;
    }
    const named = [...problem.detail.matchAll(/`(\w+)/g)].map(([, name]) => name).find((name) => name in FIELDS || name === 'weekdays');
    if (problem.code === 'invalid_series' && named) faults[named] = problem.detail.replace(/`(\w+)(?:: (\w+))?`/g, (_, name, value) => `“${wordOf(name)}${value ? `: ${value}` : ''}”`);
    if (Object.keys(faults).some((name) => FIELDS[name]?.[0] === 'points')) this.unfolded.add('Season');
    return faults;
  }

  section(section) {
    const [title, about] = section;
    if (title === DATES) return this.folded(title, about, html`${this.weekdays()}${this.group('schedule')}`);
    if (title === 'Season') return this.folded(title, about, this.group('points'));
    return super.section(section);
  }

  group(group) {
    const isShown = (name) => FIELDS[name][0] === group && (name !== 'places' || this.values.by === 'place');
    return Object.keys(FIELDS).filter(isShown).map((name) => {
      const about = FIELDS[name][1];
      const help = name === 'by' ? POINTS_BY[this.values.by]?.[1] : about.help;
      return this.fieldAt(name, { ...about, help, value: this.values[name] }, (entered) => this.value({ [name]: entered }));
    });
  }

  weekdays() {
    const { weekdays = [] } = this.values;
    const turn = (day, isOn) => this.value({ weekdays: WEEKDAYS.filter((each) => (each === day ? isOn : weekdays.includes(each))) });
    return html`<fieldset class="weekdays"><legend>On</legend>
      ${WEEKDAYS.map((day) => html`<label><input type="checkbox" .checked=${weekdays.includes(day)}
        @change=${({ target }) => turn(day, target.checked)}> ${capital(day)}</label>`)}
      ${this.faults.weekdays ? html`<p class="fault small">${this.faults.weekdays}</p>` : ''}</fieldset>`;
  }

  further() {
    return '';
  }

  field(setting) {
    const { sittings, format, seats } = this.values;
    if (setting.name.startsWith('team_')) return ''; // a season counts players
    if (setting.name === 'advance') return super.field({ ...setting, words: ADVANCE_IN_SERIES });
    if (setting.name === 'visibility') return super.field({ ...setting, choices: ['public', 'unlisted'] });
    if (setting.name !== 'sittings') return super.field(setting);
    if (followsFromEntrants({ format, seats })) return '';
    const fault = this.faults.sittings;
    return this.fieldAt('rounds', { label: 'Rounds', kind: 'number', min: 1, value: sittings[0].rounds, fault },
      (rounds) => this.value({ sittings: [{ rounds, starts_at: '' }] }));
  }
}

const schedule = ({ weekdays, time, zone, first_day: first, last_day: last, every_weeks: weeks, tournaments, opens_hours: hours }) => ({
  weekdays, time, zone, first_day: first, every_weeks: numberOf(weeks), opens_hours: numberOf(hours),
  tournaments: numberOf(tournaments) ?? null, last_day: last || null,
});

const points = ({ by, places, participation, best_of: best }) => ({
  by,
  ...(by === 'place' && { places: places.split(/[\s,;]+/).filter(Boolean).map(Number) }),
  participation: numberOf(participation) ?? 0,
  best_of: numberOf(best) ?? null,
});

customElements.define('hw-new-series', NewSeries);
