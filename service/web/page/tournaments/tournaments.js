/** The list of tournaments: the player's own, in progress, open for registration, finished. */
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { games, titleOf } from '../kit/games.js';
import { setQuery } from '../kit/router.js';
import { session } from '../kit/session.js';
import { serverNow } from '../kit/stream.js';
import { count, failure, loading, moment, nth, setTitle } from '../kit/words.js';
import { FORMATS, PHASES, system } from './terms.js';
import { currentSitting, hasStarted, isLive, isRoundLeft } from './view.js';

const PAGE = 12;
const REFRESH_MS = 15_000;

/** Lists below the player's own: key, title, phases and the text for an empty list. */
const LISTS = [
  ['running', 'In progress', ['running', 'paused'], 'No tournament is in progress.'],
  ['registration', 'Registration open', ['registration'],
    'No tournament is open for registration. You can start one.'],
  ['finished', 'Finished', ['finished'], 'No tournament has finished yet.'],
];

class Tournaments extends Room {
  lists = new Map();

  /** Full tournaments by id, because the lists lack sitting times. */
  details = new Map();

  problem = null;

  enter() {
    setTitle('Tournaments');
    this.game = new URLSearchParams(location.search).get('game') ?? '';
    this.listen(session, 'change', () => this.load());
    this.every(REFRESH_MS, () => this.load());
    games().then((list) => this.set({ games: list }), () => {});
    this.load();
  }

  async load() {
    const { game } = this;
    const me = session.player?.id;
    try {
      const lists = await Promise.all([
        me ? this.#mine(me) : null,
        ...LISTS.map(([key, , phases]) => this.#list(key, phases)),
      ]);
      if (game !== this.game) return;
      const keys = ['mine', ...LISTS.map(([key]) => key)];
      this.set({ problem: null, lists: new Map(keys.map((key, index) => [key, lists[index]])) });
      this.#detail();
    } catch (problem) {
      this.set({ problem });
    }
  }

  // A refresh must not drop the rows that "Show more" has added.
  async #list(key, phases) {
    const limit = Math.min(200, Math.max(PAGE, this.lists.get(key)?.rows.length ?? 0));
    const pages = await Promise.all(phases.map((phase) => this.#page(phase, limit)));
    const rows = pages.flatMap(({ tournaments }) => tournaments);
    rows.sort((one, other) => other.changed_at - one.changed_at);
    return { rows, cursors: pages.map(({ cursor }) => cursor) };
  }

  async #mine(me) {
    const [entered, organised] = await Promise.all([
      api.get(`/v1/players/${me}/tournaments`, { query: { limit: 50 } }),
      api.get('/v1/me/tournaments', { query: { limit: 50 } }),
    ]);
    const known = new Set(organised.tournaments.map(({ id }) => id));
    const others = entered.tournaments.filter(({ tournament: id }) => !known.has(id));
    const rows = [...organised.tournaments, ...others.map(({ tournament, ...row }) => ({ ...row, id: tournament }))];
    return { rows: rows.filter(({ game }) => !this.game || game === this.game), cursors: [] };
  }

  #page(phase, limit, cursor) {
    return api.get('/v1/tournaments', { query: { phase, game: this.game, limit, cursor } });
  }

  async more(key, phases) {
    const list = this.lists.get(key);
    const none = { tournaments: [], cursor: null };
    const next = (phase, index) => (list.cursors[index] ? this.#page(phase, PAGE, list.cursors[index])
      : none);
    try {
      const pages = await Promise.all(phases.map(next));
      const known = new Set(list.rows.map(({ id }) => id));
      const rows = pages.flatMap(({ tournaments }) => tournaments).filter(({ id }) => !known.has(id));
      this.lists.set(key, { rows: [...list.rows, ...rows], cursors: pages.map(({ cursor }) => cursor) });
      this.update();
      this.#detail();
    } catch (problem) {
      this.set({ problem });
    }
  }

  // One at a time: these details are optional and must not delay anything else.
  async #detail() {
    const open = ['mine', 'running', 'registration'].flatMap((key) => this.lists.get(key)?.rows ?? []);
    for (const { id, phase, changed_at: at } of open) {
      if (!this.isConnected) return;
      const isOver = phase === 'finished' || phase === 'cancelled';
      const answer = isOver || this.details.get(id)?.at === at ? null
        : await api.get(`/v1/tournaments/${id}`).catch(() => null);
      if (answer) this.details.set(id, { at, view: answer.tournament });
      this.update();
    }
  }

  choose(game) {
    this.game = game;
    setQuery({ game: game || null });
    this.lists.clear();
    this.update();
    this.load();
  }

  /** Tournaments that the player has entered, or is an official of. */
  get mine() {
    return this.lists.get('mine')?.rows ?? [];
  }

  template() {
    const { mine } = this;
    return html`
      <section class="page tournament">
        <header class="head">
          <h1>Tournaments</h1>
          <a class="button" href="/series">Series</a>
          <a class="button main" href="/tournaments/new">New tournament</a>
        </header>
        <p>Play over several rounds for a place. Afterwards anybody can check every draw, shuffle and
          pairing.</p>
        ${this.filter()}
        ${this.problem ? failure(this.problem, () => this.load()) : nothing}
        ${this.lists.size ? html`${mine.length ? this.section('mine', 'Yours', mine, calendar()) : nothing}
          ${LISTS.map((list) => this.others(list, mine))}` : this.problem ? nothing : loading()}
      </section>`;
  }

  filter() {
    const games = (this.games ?? []).map(({ name, title }) => [name, title]);
    return html`<div class="filters">${field({ id: 'game', label: 'Game', kind: 'choice',
      choices: [['', 'All games'], ...games], value: this.game, change: (game) => this.choose(game) })}</div>`;
  }

  /** A list of tournaments that are not the player's. */
  others([key, title, phases, empty], mine) {
    const list = this.lists.get(key);
    const rows = list.rows.filter(({ id }) => !mine.some((own) => own.id === id));
    const isMore = list.cursors.some(Boolean);
    if (list.rows.length && !rows.length && !isMore) return nothing;
    const more = html`<button type="button" @click=${() => this.more(key, phases)}>
      Show more<span class="unseen"> of: ${title}</span></button>`;
    return this.section(key, title, rows, rows.length ? (isMore ? more : nothing) : html`<p
      class="soft">${empty}</p>`);
  }

  section(key, title, rows, below = nothing) {
    const card = (row) => html`<li class="panel">${this.card(row, key)}</li>`;
    return html`<section aria-labelledby="list-${key}"><h2 id="list-${key}">${title}</h2>
      ${rows.length ? html`<ul class="cups">${repeat(rows, ({ id }) => id, card)}</ul>` : nothing}
      ${below}</section>`;
  }

  card(row, key) {
    const view = this.details.get(row.id)?.view;
    const seats = row.seats ?? view?.setup.seats;
    const organises = session.player && (row.organiser ?? view?.organiser) === session.player.id;
    // The list of the player's own has this field only for officials.
    const part = organises ? 'the organiser' : key === 'mine' && row.organiser ? 'an official' : '';
    const begins = view && nextSitting(view);
    const phase = html`<span class="phase ${row.phase}">${PHASES[row.phase]}</span>`;
    return html`
      <h3><a href="/tournaments/${row.id}">${row.name}</a>
        ${key === 'mine' || row.phase === 'paused' ? phase : nothing}</h3>
      <p>${titleOf(row.game)} · ${seats ? system({ ...row, seats }) : FORMATS[row.format][0]}</p>
      <p class="small">${facts(row, view)}</p>
      ${begins ? html`<p class="small">Next sitting: ${moment(begins)}</p>` : nothing}
      ${part
        ? html`<p class="small"><a href="/tournaments/${row.id}/desk">You are ${part}: go to the desk</a></p>`
        : nothing}`;
  }
}

const calendar = () => html`<p class="small">In your calendar program, you can subscribe to the
  <a href="/v1/players/${session.player.id}/calendar">calendar of your sittings</a>.</p>`;

/** Entrants, progress and the player's result. */
function facts(row, view) {
  const isArena = row.format === 'arena';
  const entrants = row.entrants ?? view?.entrants.filter(({ left_after: left }) => left === null).length;
  const rounds = row.rounds ?? view?.rounds.length ?? 0;
  const planned = row.rounds_planned ?? view?.rounds_planned;
  const said = entrants === undefined ? [] : [count(entrants, 'entrant')];
  if (row.phase === 'registration' || row.phase === 'draft')
    said.push(...(isArena ? [] : [planned ? count(planned, 'round') : 'rounds depend on entrants']));
  else if (rounds)
    said.push(planned && row.phase !== 'finished' ? `round ${rounds} of ${planned}` : count(rounds, 'round'));
  if (row.rank) said.push(`you finished ${nth(row.rank)}`);
  else if (row.offered) said.push('you are offered a place');
  else if (row.entered === false) said.push('you left it');
  return said.join(' · ');
}

/** Start of the next sitting, if it is fixed and in the future. */
function nextSitting(view) {
  const isAhead = view.phase === 'registration' || (isLive(view) && isRoundLeft(view));
  const begins = hasStarted(view) ? currentSitting(view).startsAt : view.setup.sittings[0].starts_at;
  return isAhead && begins > serverNow() ? begins : null;
}

customElements.define('hw-tournaments', Tournaments);
