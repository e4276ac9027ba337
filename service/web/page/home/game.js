/** A game's own room: its aim, its options, and the ways to a table. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { gameInfo, games, usualSeats } from '../kit/games.js';
import { inline } from '../text/inline.js';
import { openTable, refusal } from '../kit/opening.js';
import { tableOf } from '../kit/pictures.js';
import { go } from '../kit/router.js';
import { count, failure, faultInWords, loading, seatsInWords, setTitle } from '../kit/words.js';
import { prepare } from '../table/scene/scene.js';

const USUAL_POLICY = 'steady';
const UNFOLDING = html`<p class="small">Loading the options …</p>`;

class Game extends Room {
  /** The game as the list of games shows it, then its full description with `options`. */
  info = null;

  problem = null;

  statistics = null;

  /** The module that draws the fields, loaded when a section is opened. */
  form = null;

  seats = 0;

  policy = USUAL_POLICY;

  /** Options and settings that differ from the usual ones. */
  options = {};

  settings = {};

  /** The chosen way to a table, and why it failed: in a sentence, and by field. */
  going = '';

  refused = '';

  faults = {};

  enter() {
    setTitle('');
    this.load();
    // The table's room is needed next; it loads while its player reads.
    Promise.all([import('../table/table.js'), prepare(this.getAttribute('game'))]).catch(() => {});
  }

  async load() {
    const name = this.getAttribute('game');
    this.set({ problem: null });
    // The first page has asked for the list already, so that bots can be played without waiting for the rest.
    games().then((all) => this.#show(all.find((game) => game.name === name)), () => {});
    try {
      this.#show(await gameInfo(name));
    } catch (problem) {
      this.set({ problem });
      return;
    }
    this.set({ statistics: await api.get(`/v1/games/${name}/statistics`).catch(() => null) });
  }

  #show(info) {
    if (!info || this.info?.options) return;
    this.seats ||= usualSeats(info.seats);
    if (info.policies?.every(({ name }) => name !== this.policy)) this.policy = info.policies[0].name;
    setTitle(info.title);
    this.set({ info });
  }

  async open(way, more) {
    const form = this.querySelector('form');
    const wrong = form.querySelector(':invalid');
    if (this.going) return;
    if (wrong) {
      wrong.closest('details').open = true; // a browser cannot point at a field that is not shown
      form.reportValidity();
      return;
    }
    this.set({ going: way, refused: '', faults: {} });
    const chosen = { game: this.info.name, seats: this.seats, options: this.options, ...this.settings };
    try {
      go(`/tables/${await openTable({ ...chosen, ...more })}`);
    } catch (problem) {
      this.#refuse(problem);
    }
    this.set({ going: '' });
  }

  #refuse(problem) {
    const found = problem.faults ?? [];
    const placeOf = ({ name }) => name.replace('options.', '');
    const faults = Object.fromEntries(found.map((fault) => [placeOf(fault), fault.detail]));
    this.set({ faults, refused: found.length ? '' : refusal(problem) });
    // The fields are marked by the drawing that `set` has asked for.
    queueMicrotask(() => {
      const others = found.filter((fault) => (
        !this.querySelector(`#option-${placeOf(fault)}, #setting-${placeOf(fault)}`)));
      if (found.length) {
        this.set({ refused: `This table cannot be opened. ${others.map(faultInWords).join(' ')}` });
      }
      const faulty = this.querySelector('[aria-invalid]');
      const closed = faulty?.closest('details') ?? this.querySelector(`.${problem.code}`);
      if (closed) closed.open = true; // where nothing was opened before, its fields come now
      faulty?.focus();
    });
  }

  template() {
    if (this.problem) return html`<div class="page">${unknown(this.problem, () => this.load())}</div>`;
    if (!this.info) return loading('Loading the game');
    const { title, name, aim, seats } = this.info;
    return html`
      <div class="page game-room">
        <div class="front">
          ${tableOf(name)}
          <h1>${title}</h1>
        </div>
        <form class="panel" novalidate @submit=${this.#submit}>
          <h2>A new table</h2>
          ${seatChoice(this)}
          ${this.refused ? html`<p class="notice failed" role="alert">${inline(this.refused)}</p>` : nothing}
          ${this.#ways()}
          ${this.#options()}
          ${this.#settings()}
        </form>
        <div class="about">
          <p>${inline(aim)}</p>
          <p class="small">${seatsInWords(seats)}</p>
          <nav class="row-of-buttons" aria-label=${title}>
            <a class="button" href="/learn/${name}">Learn by playing</a>
            <a class="button" href="/rules/${name}">Rules</a>
            <a class="button" href="/tables?game=${name}">Tables</a>
            <a class="button" href="/leaderboards/${name}">Leaderboard</a>
          </nav>
          ${played(this.statistics)}
        </div>
      </div>`;
  }

  #submit = (event) => {
    event.preventDefault();
    this.open('bots', { bots: this.policy });
  };

  #ways() {
    const text = (way, usual, going) => (this.going === way ? `${going} …` : usual);
    return html`
      <div class="ways">
        <button class="main" ?disabled=${this.going}>${text('bots', 'Play against bots', 'Dealing')}</button>
        <button type="button" ?disabled=${this.going} aria-describedby="way-friends"
          @click=${() => this.open('friends', { private: true })}
          >${text('friends', 'Invite friends', 'Opening')}</button>
        <button type="button" ?disabled=${this.going} aria-describedby="way-everybody"
          @click=${() => this.open('everybody')}>${text('everybody', 'Open to everybody', 'Opening')}</button>
      </div>
      <p class="small"><span id="way-friends">Friends join with a link that only you have.</span>
        <span id="way-everybody">A table open to everybody is in the lobby.</span>
        At both, bots can fill free seats.</p>`;
  }

  #options() {
    const { options } = this.info;
    if (options?.length === 0) return nothing;
    const choose = (name, value) => this.set({
      options: without(this.options, name, value),
      faults: without(this.faults, name),
      refused: '',
    });
    const fieldOf = (option) => {
      const { name } = option;
      return this.form.optionField(option, this.options[name], this.faults[name], (value) => choose(name, value));
    };
    const reset = () => this.set({ options: {}, faults: {}, refused: '' });
    return html`
      <details class="invalid_options" @toggle=${this.#unfold}>
        <summary>Options of the game${changes(this.options)}</summary>
        ${this.form && options ? html`<div class="fields">${options.map(fieldOf)}</div>` : UNFOLDING}
        ${Object.keys(this.options).length ? html`
          <button type="button" @click=${reset}>Reset the options</button>` : nothing}
      </details>`;
  }

  #settings() {
    const choose = (name, value) => this.set({ settings: without(this.settings, name, value), refused: '' });
    return html`
      <details @toggle=${this.#unfold}>
        <summary>Pace, bots and spectators${changes(this.settings)}</summary>
        ${this.form ? html`<div class="fields">
          ${this.form.policyField(this.info.policies ?? [], this.policy, (policy) => this.set({ policy }))}
          ${this.form.settingFields(this.settings, this.faults, choose)}
        </div>` : UNFOLDING}
      </details>`;
  }

  // Most tables are played as usual, so the fields are loaded only for those who look.
  #unfold = async () => {
    if (this.form) return;
    try {
      this.set({ form: await import('./form.js') });
    } catch {
      this.set({ refused: 'The options could not be loaded. Is the connection down?' });
    }
  };
}

/** A copy with another value of a field, or without the field. */
function without(fields, name, value) {
  const { [name]: _, ...others } = fields;
  return value === undefined ? others : { ...others, [name]: value };
}

function changes(fields) {
  const many = Object.keys(fields).length;
  return many ? html` <b class="badge">${many} changed</b>` : nothing;
}

function seatChoice(room) {
  const { fewest, most } = room.info.seats;
  if (fewest === most) return nothing;
  const numbers = Array.from({ length: most - fewest + 1 }, (_, index) => fewest + index);
  return html`
    <fieldset class="seats">
      <legend>Players</legend>
      ${numbers.map((number) => html`<label><input type="radio" name="seats" value=${number}
        .checked=${number === room.seats}
        @change=${() => room.set({ seats: number, refused: '' })}><span>${number}</span></label>`)}
    </fieldset>`;
}

function played(statistics) {
  if (!statistics?.tables_ended) return nothing;
  const { tables_ended: tables, rounds_scored: rounds } = statistics;
  return html`
    <p class="small">Played here at ${count(tables, 'table')}, ${count(rounds, 'round')} in all.</p>`;
}

const unknown = (problem, retry) => (problem.status === 404 ? html`
  <h1>There is no such game</h1>
  <p>The <a href="/">first page</a> shows all games.</p>` : failure(problem, retry));

customElements.define('hw-game', Game);
