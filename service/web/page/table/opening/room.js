/** `hw-open-table`: a table before its start, with its seats, invitation and the host's commands. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { classMap } from '../../vendor/lit-html/directives/class-map.js';
import { api } from '../../kit/api.js';
import { changedOptions, gameInfo, titleOf } from '../../kit/games.js';
import { sitDown } from '../../kit/opening.js';
import { session } from '../../kit/session.js';
import { capital, count, duration } from '../../kit/words.js';
import { AtTable, nameAt } from '../at_table.js';
import { face } from '../scene/faces.js';
import './filling.js';
import './host.js';
import './invite.js';

const PRESENCE_MS = 10_000;

class OpenTable extends AtTable {
  #info = { options: [] };

  #connected = [];

  #names = new Map();

  #begun = false;

  enter() {
    super.enter();
    this.every(PRESENCE_MS, () => this.#look());
  }

  draw() {
    if (!this.table) return;
    if (!this.#begun) this.#begin();
    this.#learnNames();
    super.draw();
  }

  async #begin() {
    this.#begun = true;
    this.#look();
    // The seats matter more than what the options mean.
    this.#info = await gameInfo(this.table.game).catch(() => this.#info);
    this.update();
  }

  async #look() {
    try {
      const { seats } = await api.get(`${this.path}/presence`);
      this.#connected = seats;
      this.update();
    } catch {
      // The table's stream reports a lost connection; presence is only a courtesy.
    }
  }

  // The view names those who sit; of the host, and of players for whom a seat is kept, it has only the id.
  #learnNames() {
    const { host, seats } = this.table;
    for (const id of [host, ...seats.map((seat) => seat.offered_to)]) {
      if (!id || this.#names.has(id)) continue;
      this.#names.set(id, seats.find(({ player }) => player === id)?.name ?? '');
      if (this.#names.get(id)) continue;
      api.get(`/v1/players/${id}`).then(({ name }) => {
        this.#names.set(id, name);
        this.update();
      }, () => {});
    }
  }

  #named(id) {
    if (id === session.player?.id) return 'you';
    return this.table.seats.find(({ player }) => player === id)?.name || this.#names.get(id) || 'a player';
  }

  template() {
    const { table } = this;
    return html`
      <section class="page open-table">
        <header>
          <h1>${titleOf(table.game)}</h1>
          <p class="small">A ${table.private ? 'private' : 'public'} table.
            ${this.isHost ? 'You are its host.' : `${capital(this.#named(table.host))} is its host.`}</p>
        </header>
        ${this.#isAdmitted ? html`<hw-invite .table=${table}></hw-invite>` : nothing}
        ${this.#joining()}
        <div class="waiting-felt">
          <ol class="chairs" aria-label="Seats, clockwise">
            ${arranged(table.seats.length, this.mine?.seat ?? 0)
    .map((place, seat) => this.#chair(table.seats[seat], place))}
          </ol>
          ${this.#centre()}
        </div>
        ${this.refusal('start')}
        <div class="columns">
          <section class="panel" aria-labelledby="the-table">
            <h2 id="the-table">The table</h2>
            ${this.#facts()}
          </section>
          ${this.isHost ? html`<hw-host-desk .table=${table}></hw-host-desk>` : nothing}
        </div>
      </section>`;
  }

  // Players who were not invited must enter an invitation before they can sit down.
  #joining() {
    if (this.mine || (this.#isAdmitted && !this.refusedWith('not_invited'))) return nothing;
    return html`<hw-uninvited table=${this.table.id} to="sit down" @invited=${() => this.update()}></hw-uninvited>`;
  }

  /** Whether the service lets the viewer take a seat that is free. */
  get #isAdmitted() {
    const { table } = this;
    return !table.private || this.mine || this.isHost || this.#keptFor(session.player?.id)
      || Boolean(session.invitation(table.id));
  }

  #keptFor(id) {
    return Boolean(id) && this.table.seats.some((seat) => seat.offered_to === id);
  }

  #isFree(seat) {
    return !seat.player && (!seat.offered_to || seat.offered_to === session.player?.id);
  }

  #chair(seat, { row, from, to }) {
    const isMe = seat === this.mine;
    return html`
      <li class=${classMap({ chair: true, free: !seat.player, me: isMe })}
          .style=${`--own: var(--seat-${seat.seat}); --row: ${row}; --from: ${from}; --to: ${to}`}>
        ${seat.policy ? html`<span class="bot-face">${face(seat.policy)}</span>` : nothing}
        <span class="who">
          <b>${seat.name ?? (seat.offered_to ? `Kept for ${this.#named(seat.offered_to)}` : 'Free')}</b>
          <span class="small">${this.#saidOf(seat).join(' · ')}</span>
        </span>
        <span class="row-of-buttons">${this.#chairButtons(seat, isMe)}</span>
        ${this.refusal(`seat ${seat.seat}`)}
      </li>`;
  }

  #saidOf(seat) {
    const said = [`seat ${seat.seat}`];
    if (seat === this.mine) said.push('you');
    if (seat.player === this.table.host) said.push('host');
    if (seat.policy) said.push('bot');
    else if (isBotName(seat.name)) said.push('bot', `at most ${duration((this.table.turn_seconds ?? 120) * 1000)} a turn`);
    else if (seat.player && seat !== this.mine) {
      said.push(this.#connected.includes(seat.seat) ? 'here' : 'not connected');
    }
    return said;
  }

  #chairButtons(seat, isMe) {
    const place = `seat ${seat.seat}`;
    const where = html`<span class="unseen"> at seat ${seat.seat}</span>`;
    if (isMe) return html`<button ?disabled=${this.busy} @click=${() => this.#free(seat)}>Leave</button>`;
    const mine = seat.offered_to && seat.offered_to === session.player?.id;
    return html`
      ${this.#isFree(seat) && this.#isAdmitted && !this.mine ? html`
        <button class="main" ?disabled=${this.busy} @click=${() => this.#sit(seat.seat)}>
          Sit here${where}</button>`
        : nothing}
      ${mine ? html`
        <button ?disabled=${this.busy} @click=${() => this.#free(seat)}>Decline</button>` : nothing}
      ${this.isHost && !seat.player && !seat.offered_to ? html`
        <button ?disabled=${this.busy} @click=${() => this.#seatBot(seat.seat)}>
          Seat a bot${where}</button>` : nothing}
      ${this.isHost && seat.player ? html`
        <button ?disabled=${this.busy} @click=${() => this.#free(seat)}>Free the seat<span class="unseen">
          of ${nameAt(this.table, seat.seat)}</span></button>` : nothing}
      ${this.isHost && seat.offered_to && !mine ? html`
        <button ?disabled=${this.busy} @click=${() => this.#free(seat)}>
          Withdraw the offer${where}</button>` : nothing}
      ${this.busy === place ? html`<span class="unseen" role="status">One moment …</span>` : nothing}`;
  }

  async #sit(seat) {
    await this.run(`seat ${seat}`, () => sitDown(this.table.id, { seat }));
    this.#look();
  }

  #free({ seat }) {
    return this.run(`seat ${seat}`, () => api.del(`${this.path}/seats/${seat}`));
  }

  #seatBot(seat) {
    const policy = this.querySelector('hw-host-desk')?.policy ?? 'steady';
    return this.post(`seat ${seat}`, 'seats', { seat, policy });
  }

  #centre() {
    const { seats, host } = this.table;
    const missing = seats.filter(({ player }) => !player).length;
    const said = missing ? `${count(missing, 'seat is', 'seats are')} still free.` : 'Every seat is taken.';
    return html`
      <div class="felt-centre">
        <p role="status">${said}
          ${this.isHost ? this.#nextForHost(missing)
            : `${capital(this.#named(host))} starts the table${missing ? ' when all are taken' : ''}.`}</p>
        <hw-filling .table=${this.table}></hw-filling>
        ${this.isHost ? html`
          <button class="main" ?disabled=${missing || this.busy} @click=${() => this.post('start', 'start')}>
            Start</button>` : nothing}
      </div>`;
  }

  #nextForHost(missing) {
    if (missing && this.table.rematch_of) return 'The rematch starts by itself as soon as everybody is there.';
    if (missing) return `Invite somebody, or give ${missing === 1 ? 'it to a bot' : 'them to bots'}; then you can start.`;
    return this.mine ? 'Start when you like.' : 'You have no seat, so you will watch. Start when you like.';
  }

  #facts() {
    const { table } = this;
    const options = changedOptions(table.options, this.#info);
    return html`
      <dl class="facts">
        <dt>Game</dt><dd><a href="/rules/${table.game}">${titleOf(table.game)}</a>,
          ${count(table.seats.length, 'player')}</dd>
        <dt>Clock</dt><dd>${clock(table.turn_seconds)}</dd>
        <dt>Ratings</dt><dd>${table.rated ? 'The result counts if two or more people play.' : 'The result does not count.'}</dd>
        ${table.take_backs ? html`<dt>Misclicks</dt><dd>You can take back your last action for ten seconds, until the next player acts.</dd>` : nothing}
        <dt>To watch</dt><dd>${WATCHERS[table.watch]}</dd>
        ${table.rematch_of ? html`<dt>Rematch</dt>
          <dd>of <a href="/tables/${table.rematch_of}">this table</a></dd>` : nothing}
        ${table.parent ? html`<dt>Plays on</dt>
          <dd>from <a href="/tables/${table.parent.table}/replay">another table</a>,
            version ${table.parent.version}</dd>` : nothing}
        ${table.supervised ? html`<dt>Supervised</dt>
          <dd>The host, who has no seat, may record exposures in the players’ names.</dd>` : nothing}
      </dl>
      <h3>Options</h3>
      ${options.length ? html`<dl class="options">${options.map(({ name, value, meaning }) => html`
        <dt>${name}: ${value}</dt><dd class="small">${meaning}</dd>`)}</dl>`
        : html`<p>The usual ones.</p>`}`;
  }
}

/** Columns of the chairs' grid: a multiple of every row's length, up to five. */
const COLUMNS = 60;

/**
 * Where each seat is drawn, from seat 0: one row on the near side and one on the far side of the table,
 * clockwise, with the viewer in the middle of the near one.
 */
function arranged(seats, near) {
  const half = Math.ceil(seats / 2);
  const nearRow = seats < 5 ? 1 : half - (1 - half % 2);
  const farRow = seats - nearRow;
  const aside = (nearRow - 1) / 2;
  return Array.from({ length: seats }, (_, seat) => {
    const step = (seat - near + seats) % seats; // clockwise from the viewer, which is to the left
    const isFar = step > aside && step <= aside + farRow;
    const size = COLUMNS / (isFar ? farRow : nearRow);
    const index = isFar ? step - aside - 1 : aside - (step > aside ? step - seats : step);
    return { row: isFar ? 1 : 3, from: index * size + 1, to: (index + 1) * size + 1 };
  });
}

const WATCHERS = {
  everyone: 'Everybody may.',
  invited: 'Those who have the link may.',
  nobody: 'Only the players and the host may.',
};

/** Whether a name is that of a bot of a player; nobody else may have such a name. */
const isBotName = (name) => Boolean(name?.startsWith('BOT '));

function clock(seconds) {
  if (seconds === 0) return 'None; take your time.';
  if (seconds) return `${duration(seconds * 1000)} a turn.`;
  return 'Two minutes a turn if two or more people play, otherwise none.';
}

customElements.define('hw-open-table', OpenTable);
