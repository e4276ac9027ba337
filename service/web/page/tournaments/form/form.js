/** The new-tournament form. */
import { live } from '../../vendor/lit-html/directives/live.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { Room } from '../../kit/element.js';
import { gameInfo, games } from '../../kit/games.js';
import { go } from '../../kit/router.js';
import { join } from '../../kit/joining.js';
import { session } from '../../kit/session.js';
import { entitle, failure, loading } from '../../kit/words.js';
import { faultsOf } from './faults.js';
import { fault, field } from './fields.js';
import { DEFAULTS, bodyOf, usualAdvance, usualTiebreaks } from './body.js';
import { BASICS, SECTIONS, followsFromEntrants } from './settings.js';
import { optionField } from './game_options.js';
import { sittingsField } from './sittings.js';
import { tiebreaksField } from './tiebreaks.js';

const OPTIONS = 'Options of the game';

class NewTournament extends Room {
  values = structuredClone(DEFAULTS);

  faults = {};

  problem = null;

  /** Titles of the open sections. */
  unfolded = new Set();

  opensRegistration = true;

  enter() {
    entitle('New tournament');
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
    const { seats } = this.games.find((one) => one.name === name);
    const fits = Math.min(Math.max(Number(this.values.seats) || 4, seats.fewest), seats.most);
    this.value({ game: name, seats: `${fits}`, options: {} });
    const described = await gameInfo(name).catch(() => null);
    if (this.values.game === name) this.set({ options: described?.options ?? [] });
  }

  /** Changes values, and updates dependent defaults until the user overrides them. */
  value(changes) {
    const values = { ...this.values, ...changes };
    if (changes.tiebreaks) this.hasChosenTiebreaks = true;
    if (!this.hasChosenTiebreaks) values.tiebreaks = usualTiebreaks(values);
    if (changes.advance) this.hasChosenAdvance = true;
    if (!this.hasChosenAdvance) values.advance = usualAdvance(values);
    const faults = Object.fromEntries(
      Object.entries(this.faults).filter(([name]) => !(name.split('.')[0] in changes)),
    );
    this.set({ values, faults });
  }

  async submit(event) {
    event.preventDefault();
    if (this.isBusy) return;
    this.set({ isBusy: true, faults: {}, problem: null });
    try {
      await join();
      const { tournament } = await api.post('/v1/tournaments', bodyOf(this.values, this.options));
      // The desk offers to open registration, so a failure here can be ignored.
      const registration = `/v1/tournaments/${tournament.id}/registration`;
      if (this.opensRegistration) await api.post(registration).catch(() => null);
      go(`/tournaments/${tournament.id}/desk`);
    } catch (problem) {
      this.refused(problem);
    }
  }

  async refused(problem) {
    const faults = faultsOf(problem, this.options);
    if (faults.name && !this.values.name.trim()) faults.name = 'Give the tournament a name.';
    this.set({ isBusy: false, faults, problem });
    for (const [title, , settings] of SECTIONS) {
      if (settings.some(({ name }) => name in faults)) this.unfolded.add(title);
    }
    if (Object.keys(faults).some((name) => name.startsWith('options.'))) this.unfolded.add(OPTIONS);
    this.update();
    await null;
    await null;
    const faulty = this.querySelector('[aria-invalid=true], .faulty :is(input, select, textarea)');
    (faulty ?? this.querySelector('.form-refusal'))?.focus();
  }

  template() {
    if (this.loadProblem)
      return html`<section class="page">${failure(this.loadProblem, () => this.load())}</section>`;
    if (!this.values.game) return html`<section class="page">${loading('Loading the games')}</section>`;
    return html`
      <section class="page tournament">
        <nav class="crumbs" aria-label="Where you are"><a href="/tournaments">Tournaments</a></nav>
        <h1>New tournament</h1>
        <p>A name and a game are enough; the rest has sensible defaults. You will be the organiser.</p>
        <form class="settings-form" novalidate @submit=${(event) => this.submit(event)}>
          ${SECTIONS.map((section) => this.section(section))}
          ${this.folded(OPTIONS, 'House rules for its tables.', this.gameOptions())}
          <p class="check"><input type="checkbox" id="registration" .checked=${live(this.opensRegistration)}
            @change=${({ target }) => this.set({ opensRegistration: target.checked })}>
            <label for="registration">Open the registration right away</label></p>
          <div class="form-refusal" tabindex="-1">${this.problem ? this.refusal() : nothing}</div>
          <p><button class="main" aria-disabled=${this.isBusy ? 'true' : nothing}>
            ${this.isBusy ? 'One moment …' : 'Create the tournament'}</button></p>
        </form>
      </section>`;
  }

  gameOptions() {
    const { options } = this.values;
    return (this.options ?? []).map((option) => optionField(option, options,
      this.faults[`options.${option.name}`],
      (value) => this.value({ options: { ...options, [option.name]: value } })));
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
    const { name, kind } = setting;
    const input = (value) => this.value({ [name]: value });
    if (kind === 'sittings') {
      const isLastOpen = followsFromEntrants(this.values);
      return sittingsField(this.values.sittings, { isLastOpen, faults: this.faults, change: input });
    }
    if (kind === 'tiebreaks') {
      return tiebreaksField(this.values.tiebreaks, input, { fault: fault(name, this.faults[name]) });
    }
    const state = { value: this.values[name], fault: this.faults[name], input };
    if (name === 'game') {
      return field({ ...setting, choices: this.choices }, { ...state, input: (value) => this.choose(value) });
    }
    if (name !== 'seats') return field(setting, state);
    const { seats } = this.games.find((one) => one.name === this.values.game);
    return field({ ...setting, min: seats.fewest, max: seats.most }, state);
  }

  get choices() {
    const range = ({ fewest, most }) => (fewest === most ? `${most}` : `${fewest} to ${most}`);
    const of = ({ name, title, seats }) => [name, [title, `For ${range(seats)} players at a table.`]];
    return Object.fromEntries(this.games.map(of));
  }
}

customElements.define('hw-new-tournament', NewTournament);
