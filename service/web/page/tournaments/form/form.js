/** The new-tournament form. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { commandForm, declaredField, field } from '../../kit/form.js';
import { gameInfo, games } from '../../kit/games.js';
import { go } from '../../kit/router.js';
import { join } from '../../kit/joining.js';
import { session } from '../../kit/session.js';
import { failure, loading, seatsInWords, setTitle } from '../../kit/words.js';
import { SUGGESTED, bodyOf, byesFor, clocksFor, scoringFor, usualAdvance, usualTiebreaks } from './body.js';
import { faultsOf } from './faults.js';
import { descriptionField } from '../desk/contact.js';
import { BASICS, SECTIONS, followsFromEntrants, settingField } from './settings.js';
import { idOf, sittingsField } from './sittings.js';
import { tiebreaksField, tiebreaksFor } from './tiebreaks.js';

const OPTIONS = 'Options of the game';

export class NewTournament extends Room {
  heading = 'New tournament';

  about = 'A name and a game are enough; the rest has sensible defaults. You will be the organiser.';

  label = 'Create the tournament';

  /** The rooms between the list of tournaments and the form. */
  within = nothing;

  sections = SECTIONS;

  values = structuredClone(SUGGESTED);

  /** The chosen game as the service declares it, with the settings of its tournaments. */
  game = null;

  faults = {};

  problem = null;

  /** Titles of the open sections. */
  unfolded = new Set();

  opensRegistration = true;

  description = '';

  /** The path of the new tournament once it exists, while its description is still to be saved. */
  created = null;

  enter() {
    setTitle(this.heading);
    this.listen(session, 'change', () => this.update());
    this.load();
  }

  async load() {
    try {
      this.set({ loadProblem: null, games: await games() });
      const asked = new URLSearchParams(location.search).get('game');
      this.choose((this.games.find(({ name }) => name === asked) ?? this.games[0]).name);
    } catch (problem) {
      this.set({ loadProblem: problem });
    }
  }

  async choose(name) {
    const { fewest, most } = this.games.find((one) => one.name === name).seats;
    const fits = Math.min(Math.max(Number(this.values.seats) || 4, fewest), most);
    this.value({ game: name, seats: `${fits}`, options: {} });
    try {
      const game = await gameInfo(name);
      // Another game may have been chosen meanwhile, whose options this answer does not fit.
      if (this.values.game === name) this.set({ game });
    } catch (problem) {
      this.set({ loadProblem: problem });
    }
  }

  /** Changes values, and updates dependent defaults until the user overrides them. */
  value(changes) {
    const values = { ...this.values, ...changes };
    if (changes.tiebreaks) this.hasChosenTiebreaks = true;
    values.tiebreaks = this.hasChosenTiebreaks
      ? values.tiebreaks.filter((name) => tiebreaksFor(values).includes(name)) : usualTiebreaks(values);
    if (changes.format) Object.assign(values, clocksFor(values), scoringFor(values));
    if (changes.deal) Object.assign(values, byesFor(values));
    if (changes.advance) this.hasChosenAdvance = true;
    if (!this.hasChosenAdvance) values.advance = usualAdvance(values);
    const faults = Object.fromEntries(
      Object.entries(this.faults).filter(([name]) => !(name.split('.')[0] in changes)),
    );
    this.set({ values, faults });
  }

  async submit() {
    this.set({ isBusy: true, faults: {}, problem: null });
    try {
      await join();
      await this.create();
    } catch (problem) {
      this.refused(problem);
    }
  }

  async create() {
    const { tournament } = await api.post('/v1/tournaments', bodyOf(this.values, this.game));
    this.created = `/tournaments/${tournament.id}`;
    // The desk offers it, so a failure here can be ignored.
    if (this.opensRegistration) await api.post(`/v1${this.created}/registration`).catch(() => null);
    await this.describe();
  }

  /** Saves the description of the new tournament and goes to its desk. */
  async describe() {
    const { created, description: text } = this;
    this.set({ isBusy: true });
    try {
      if (text.trim()) await api.post(`/v1${created}/description`, { text });
      go(`${created}/desk`);
    } catch (problem) {
      this.set({ isBusy: false, problem });
    }
  }

  faultsOf(problem) {
    return faultsOf(problem, this.game.options);
  }

  async refused(problem) {
    const faults = this.faultsOf(problem);
    if (faults.name && !this.values.name?.trim()) faults.name = 'Give it a name.';
    this.set({ isBusy: false, faults, problem });
    for (const [title, , settings] of this.sections) {
      if (settings.some(({ name }) => name in faults)) this.unfolded.add(title);
    }
    if (Object.keys(faults).some((name) => name.startsWith('options.'))) this.unfolded.add(OPTIONS);
    this.update();
    await null; // the drawing comes first
    const faulty = this.querySelector('[aria-invalid=true], fieldset:has(> .fault) :is(input, select)');
    (faulty ?? this.querySelector('.form-refusal'))?.focus();
  }

  template() {
    if (this.loadProblem)
      return html`<section class="page">${failure(this.loadProblem, () => this.load())}</section>`;
    if (!this.game) return html`<section class="page">${loading('Loading the games')}</section>`;
    if (this.created && this.problem) return this.undescribed();
    return html`
      <section class="page tournament">
        <nav class="crumbs" aria-label="Where you are"><a href="/tournaments">Tournaments</a>${this.within}</nav>
        <h1>${this.heading}</h1>
        <p>${this.about}</p>
        ${commandForm({
          content: html`<div class="settings-form">
            ${this.sections.map((section) => this.section(section))}
            ${this.folded(OPTIONS, 'House rules for its tables.', this.gameOptions())}
            ${this.further()}
            <div class="form-refusal" tabindex="-1">${this.problem ? this.refusal() : nothing}</div></div>`,
          novalidate: true, // a browser cannot point at a field in a closed section
          label: this.label,
          look: 'main',
          isBusy: this.isBusy,
          send: () => this.submit(),
        })}
      </section>`;
  }

  undescribed() {
    return html`
      <section class="page tournament">
        <h1>New tournament</h1>
        <p>The tournament has been created, but its description could not be saved.</p>
        ${commandForm({
          content: this.descriptionField(),
          label: 'Save the description',
          look: 'main',
          isBusy: this.isBusy,
          below: failure(this.problem),
          send: () => this.describe(),
        })}
        <p><a href="${this.created}/desk">Go to the desk without a description</a></p>
      </section>`;
  }

  descriptionField() {
    return descriptionField(this.description, (description) => this.set({ description }));
  }

  /** What follows the settings. */
  further() {
    return html`${this.folded('Description', 'What entrants should know, and rules of your own.', this.descriptionField())}
      ${field({ id: 'registration', label: 'Open the registration right away', kind: 'check',
        value: this.opensRegistration, change: (opensRegistration) => this.set({ opensRegistration }) })}`;
  }

  /** A field of the form; `change` is called at each keystroke or choice. */
  fieldAt(name, about, change) {
    return field({ ...about, id: idOf(name), fault: this.faults[name], input: change, change });
  }

  gameOptions() {
    const { options } = this.values;
    return this.game.options.map((option) => {
      const { name, default: usual } = option;
      const change = (value) => this.value({ options: { ...options, [name]: value } });
      return this.fieldAt(`options.${name}`, { ...declaredField(option), value: options[name] ?? usual }, change);
    });
  }

  refusal() {
    const isPlaced = Object.keys(this.faults).length;
    return isPlaced
      ? html`<p class="notice failed" role="alert">Please correct the marked fields.</p>`
      : failure(this.problem);
  }

  section([title, about, settings]) {
    const shown = settings
      .filter(({ when }) => !when || when(this.values))
      .map((setting) => this.field(setting));
    if (title === BASICS) return html`<fieldset class="basics"><legend>${title}</legend>${shown}</fieldset>`;
    return this.folded(title, about, shown);
  }

  folded(title, about, content) {
    const open = this.unfolded.has(title);
    const fold = ({ target }) => this.unfolded[target.open ? 'add' : 'delete'](title);
    return html`<details class="panel section" ?open=${open} @toggle=${fold}>
      <summary><h2>${title}</h2>${about ? html` <span class="small">${about}</span>` : nothing}</summary>
      <div class="setting-fields">${content}</div></details>`;
  }

  field(setting) {
    const { name } = setting;
    const { tiebreaks, game, format, seats, sittings } = this.values;
    const change = (entered) => this.value({ [name]: entered });
    if (name === 'sittings') {
      const isLastOpen = followsFromEntrants({ format, seats });
      return sittingsField(sittings, { isLastOpen, isArena: format === 'arena', faults: this.faults, change });
    }
    if (name === 'tiebreaks') return tiebreaksField(tiebreaks, change, { offered: tiebreaksFor({ format }), fault: this.faults.tiebreaks });
    if (name === 'game') {
      const choices = this.games.map((each) => [each.name, each.title]);
      const help = `For ${seatsInWords(this.game.seats)} at a table.`;
      return this.fieldAt(name, { label: 'Game', kind: 'choice', choices, help, value: game }, (chosen) => this.choose(chosen));
    }
    const declared = this.game.tournament_settings.find((each) => each.name === name);
    const about = settingField(setting, declared, this.values);
    const { fewest: min, most: max } = this.game.seats;
    return this.fieldAt(name, name === 'seats' ? { ...about, min, max } : about, change);
  }
}

customElements.define('hw-new-tournament', NewTournament);
