/** `/players/<id>`: a player's public page with ratings, finished tables and tournaments. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { gameInfo, games, titleOf } from '../kit/games.js';
import { session } from '../kit/session.js';
import { count, duration, humanised, list, moment, nth, setTitle } from '../kit/words.js';
import './blocking.js';
import { change, decimal, estimate, gained, range, scaleInWords, scaleOf, tabular } from './figures.js';
import { botName, botOf, people, person, seatsAt } from './names.js';
import { Pages, paged, pending } from './pages.js';

const LEFT = 'someone who left';
const ROWS = 20;
const NONE = html`<p>None yet.</p>`;
const OUTCOMES = { last_seat: 'All others resigned', no_result: 'Without a result', stopped: 'Stopped' };
const PHASES = { draft: 'Being prepared', registration: 'Registration is open' };

class Player extends Room {
  enter() {
    setTitle('Player');
    this.player = this.getAttribute('player');
    this.bot = botOf(this.player);
    this.listen(session, 'change', () => this.update());
    this.load();
  }

  async load() {
    this.set({ problem: null });
    try {
      await (this.bot ? this.loadBot() : this.loadPerson());
    } catch (problem) {
      this.set({ problem });
    }
  }

  async loadPerson() {
    const path = `/v1/players/${this.player}`;
    const { name, bot: account } = await api.get(path);
    setTitle(name);
    const redraw = () => this.update();
    const ask = (list, cursor) => api.get(`${path}/${list}`, { query: { cursor, limit: 100 } });
    this.history = new Pages(async (before) => {
      const { tables: rows, cursor, voided } = await ask('history', before);
      this.voided = [...(this.voided ?? []), ...voided];
      return { rows, cursor };
    }, redraw, ROWS);
    this.tournaments = new Pages(async (before) => {
      const { tournaments: rows, cursor } = await ask('tournaments', before);
      return { rows, cursor };
    }, redraw, ROWS);
    this.history.more();
    this.tournaments.more();
    const [{ ratings }, trophies] = await Promise.all([api.get(`${path}/ratings`), api.get(`${path}/trophies`)]);
    this.set({ name, account, ratings, trophies });
  }

  // A seat says only which policy plays there; a rating belongs to one version of it.
  async loadBot() {
    const { policy, version } = this.bot;
    const all = await games();
    const query = { of: 'bots', provisional: 'show', idle: 'show', limit: 200 };
    const boards = await Promise.all(all.map((game) => api.get(`/v1/leaderboards/${game.name}`, { query })));
    const isMeant = (bot) => bot.policy === policy && (version === null || bot.version === version);
    const ratings = boards.flatMap(({ leaders }) => leaders).filter(({ player }) => isMeant(botOf(player)))
      .map(({ player, standing }) => ({ ...standing, player }));
    const described = await Promise.all(all.map((game) => gameInfo(game.name)));
    const meaning = described.flatMap(({ policies }) => policies).find(({ name }) => name === policy)?.meaning;
    this.set({ name: botName(this.player), ratings, meaning });
    setTitle(this.name);
  }

  template() {
    if (this.problem || !this.ratings) return pending('Player', this.problem, () => this.load());
    return html`
      <section class="page players">
        ${this.bot ? this.aboutBot() : this.aboutPerson()}
        <h2>Ratings</h2>
        ${this.ratings.length ? this.ratingsTable() : html`<p>None yet. A rating comes from every
          public table that is played to its end, unless its host opened it unrated.</p>`}
        ${this.trophies ? trophyCase(this.trophies) : nothing}
        ${this.bot ? nothing : html`
          <h2>Finished tables</h2>
          ${paged(this.history, { noun: 'tables', rows: (rows) => this.historyTable(rows), empty: NONE })}
          <h2>Tournaments</h2>
          ${paged(this.tournaments, { noun: 'tournaments', rows: tournamentsTable, empty: NONE })}`}
      </section>`;
  }

  aboutPerson() {
    const isMe = this.player === session.player?.id;
    return html`
      <h1>${this.name === LEFT ? 'Someone who left' : this.name}</h1>
      ${this.name === LEFT ? html`<p>This player left for good, and the name was erased. Finished
        tables remain.</p>` : nothing}
      ${this.account && this.name !== LEFT ? this.aboutAccount() : nothing}
      <p>${isMe ? html`This is you; you can change your name in your <a href="/me">settings</a>. ` : nothing}
        <a href="/players/${this.player}/statement">Statement of ${isMe ? 'your' : 'all'} tokens and
          points</a></p>
      <p class="small">Several players may have the same name; this player’s id is <code>${this.player}</code>.</p>
      ${isMe || !session.player || this.name === LEFT ? nothing : html`
        <hw-block player=${this.player} name=${this.name}></hw-block>`}`;
  }

  aboutAccount() {
    const { owner, owner_name: name, version, home_page: page, accepts, online } = this.account;
    return html`
      <p><span class="tag">bot</span> A program of ${person(owner, name)}${version ? `, version ${version}` : ''}.
        It is ${online ? 'online' : 'not online'}. <a href="/leaderboards/blindside?of=bots">Leaderboards of bots</a></p>
      ${page ? html`<p>Home page: <a href=${page} rel="nofollow noopener noreferrer">${page}</a></p>` : nothing}
      <p>It accepts seats at tables of ${list(accepts.games.map(titleOf))} with
        ${list(accepts.seats.map(String))} seats and a turn clock of at least ${duration(accepts.turn_seconds * 1000)},
        at ${count(accepts.tables, 'table')} at once.</p>`;
  }

  aboutBot() {
    return html`
      <h1>${this.name}</h1>
      <p>A bot, not a person. ${this.meaning ?? nothing} Each version of it is rated on its own, because it
        may play differently. <a href="/leaderboards/blindside?of=bots">Leaderboards of bots</a></p>`;
  }

  ratingsTable() {
    const scale = scaleOf(this.ratings.map(({ rating }) => rating));
    const version = this.bot ? [['Version', 'more']] : [];
    const heads = [['Game'], ...version, ['Rating', 'number'], [scaleInWords(scale), 'drawn'],
      ['At least', 'number more'], ['Tables', 'number more'], ['Last ten', 'number more']];
    const row = ({ player = this.player, ...standing }) => html`
      <tr>
        <th scope="row">${titleOf(standing.game)}
          ${standing.provisional ? html`<span class="tag">provisional</span>` : nothing}</th>
        ${this.bot ? html`<td class="more">${botOf(player).version}</td>` : nothing}
        <td class="number">${ratingOf(player, standing)}</td>
        <td class="drawn">${range(standing.rating, scale)}</td>
        <td class="number more">${decimal(standing.rating.ordinal)}</td>
        <td class="number more">${standing.tables}</td>
        <td class="number more">${change(standing.trend)}</td>
      </tr>`;
    return tabular(`Ratings of ${this.name}`, heads, this.ratings.map(row), 'rated');
  }

  historyTable(rows) {
    const heads = [['Ended'], ['Game'], ['With'], ['Place'], ['Score', 'number'], ['Table']];
    return tabular(`Finished tables of ${this.name}, newest first`, heads, rows.map((row) => html`
      <tr>
        <td class="when">${moment(row.ended_at)}</td>
        <th scope="row">${titleOf(row.game)}</th>
        <td class="with" data-label="With">${this.others(row)}</td>
        <td>${row.place === null ? this.ending(row) : html`${nth(row.place)} of ${row.seats}`}
          ${row.resigned ? html`<span class="tag">resigned</span>` : nothing}</td>
        <td class="number" data-label="Score">${row.score === null ? '–' : gained(row.score)}</td>
        <td><a href="/tables/${row.table}/replay">Replay</a></td>
      </tr>`), 'flow');
  }

  ending({ table, outcome }) {
    if (this.voided?.includes(table)) return 'Voided by an administrator';
    return OUTCOMES[outcome] ?? humanised(outcome);
  }

  others({ table, seat, seats }) {
    const all = seatsAt(table, () => this.update());
    if (!all) return count(seats - 1, 'other');
    const others = all.filter((each) => each.seat !== seat && each.player);
    return people(others.map(({ player, name }) => person(player, name)));
  }
}

function ratingOf(player, { game, rating }) {
  const shown = estimate(rating);
  return html`<a href="/players/${player}/ratings/${game}"
    aria-label="${shown}, the rating in ${titleOf(game)} table by table">${shown}</a>`;
}

/** The trophies of seasons and tournaments, the latest first. */
function trophyCase({ tournaments, seasons }) {
  const all = [
    ...seasons.map(({ series, ...row }) => ({ ...row, what: 'the season', path: `/series/${series}` })),
    ...tournaments.map(({ tournament, ...row }) => ({ ...row, what: '', path: `/tournaments/${tournament}` })),
  ].sort((one, other) => other.changed_at - one.changed_at);
  const row = ({ trophy, name, game, what, path, changed_at: at }) => html`<li>
    <span class="tag">${nth(trophy)}</span> <a href=${path}>${name}</a>${what ? html`, ${what}` : nothing}
    <span class="small">${titleOf(game)}, ${moment(at)}</span></li>`;
  return all.length ? html`<h2>Trophies</h2><ul class="trophies">${all.map(row)}</ul>` : nothing;
}

const TOURNAMENT_HEADS = [['Tournament'], ['Game'], ['System'], ['Status'], ['Place']];

const tournamentsTable = (rows) => tabular('Tournaments, the latest change first', TOURNAMENT_HEADS,
  rows.map(({ tournament, name, game, format, phase, rank, entered, offered }) => html`
    <tr>
      <th scope="row"><a href="/tournaments/${tournament}">${name}</a></th>
      <td>${titleOf(game)}</td>
      <td>${humanised(format).replace('_', ' ')}</td>
      <td>${PHASES[phase] ?? humanised(phase)}
        ${entered ? nothing : html`<span class="tag">${offered ? 'offered' : 'withdrew'}</span>`}</td>
      <td>${rank === null ? '–' : nth(rank)}</td>
    </tr>`), 'flow');

customElements.define('hw-player', Player);
