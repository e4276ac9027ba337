/**
 * Playback state: moment, viewer, steps, autoplay and live following.
 *
 * New events never pull a reader forward who has stepped back; only `following` does.
 */
import { api } from '../kit/api.js';
import { gameInfo } from '../kit/games.js';
import { follow } from '../kit/stream.js';
import { prepare } from '../table/scene/scene.js';
import { Autoplay } from './autoplay.js';
import { Recording } from './recording.js';

const AHEAD = 6;
// The service announces rematches for two minutes after the end.
const REMATCH_MS = 120_000;

export class Playback extends Autoplay {
  #recordings = new Map();

  #shown = null;

  #close = () => {};

  #direction = 1;

  #closed = false;

  /** @param {string} path `/v1/tables/ID` or `/v1/imports/ID` */
  constructor(path) {
    super();
    this.path = path;
    this.isImport = path.startsWith('/v1/imports/');
    /** The newest known TableView, for any viewer. */
    this.present = null;
    /** For an import: its expiry and owner. */
    this.guest = null;
    /** The description of the game, or null if it could not be loaded. */
    this.info = null;
    this.problem = null;
    this.note = '';
    this.recording = null;
    this.version = 0;
    this.following = false;
    this.seen = 0;
    this.connection = 'open';
  }

  get isOver() {
    return this.present?.phase === 'ended';
  }

  get viewer() {
    return this.recording?.viewer;
  }

  get start() {
    return this.recording.events[0].version;
  }

  get last() {
    return this.recording?.last ?? 0;
  }

  get unseen() {
    return this.recording.events.filter(({ version }) => version > this.seen).length;
  }

  /** Available viewers: all after the end, before it only oneself and a spectator. */
  get viewers() {
    const { seats } = this.present;
    if (this.isOver) return ['everybody', 'spectator', ...seats.map(({ seat }) => String(seat))];
    return this.own === null ? ['spectator'] : [this.own, 'spectator'];
  }

  /** The current moment, or the previously shown one until it has loaded. */
  get shown() {
    const answer = this.recording?.peek(this.version);
    if (answer) this.#shown = answer;
    return this.#shown;
  }

  get isArriving() {
    return this.#shown?.version !== this.version && !this.recording?.problems.has(this.version);
  }

  /** Loads the table at the requested moment and viewer, where allowed. */
  async open(wish = {}) {
    this.close();
    this.#closed = false;
    this.problem = null;
    try {
      const { view, ...guest } = await api.get(this.path, { query: this.isImport ? { viewer: 'everybody' } : {} });
      this.guest = this.isImport ? guest : null;
      // Before anything is drawn: which buttons there are must not change under the pointer.
      [this.info] = await Promise.all([gameInfo(view.game).catch(() => null), prepare(view.game)]);
      this.#know(view);
      this.own = typeof view.viewer === 'number' ? String(view.viewer) : null;
      const viewer = this.#allowed(wish.viewer);
      const recording = this.#record(viewer);
      await recording.read();
      if (recording.problem) throw recording.problem;
      if (this.#closed) return;
      this.#take(recording);
      this.following = !this.isOver && !wish.version;
      this.#at(this.following ? this.last : wish.version || this.#beginning());
      if (!this.isOver) this.#listen();
    } catch (problem) {
      this.problem = problem;
    }
    this.tell();
  }

  close() {
    this.#closed = true;
    this.stop();
    this.#close();
    this.#close = () => {};
    this.#recordings.clear();
  }

  /** Shows a moment and stops following, because the reader chose it. */
  go(version, { keepsPlaying = false } = {}) {
    this.following = false;
    if (!keepsPlaying) this.stop();
    this.#at(version);
    this.tell();
  }

  step(direction) {
    const version = this.recording.adjacent(this.version, direction);
    this.#direction = direction;
    if (version !== undefined) this.go(version);
    return version !== undefined;
  }

  /** Follows the table, or stays at this moment. */
  live(on) {
    this.stop();
    this.following = on && !this.isOver;
    if (this.following) this.#at(this.last);
    this.tell();
  }

  /** Shows the same moment as somebody else sees it. */
  async see(viewer) {
    if (viewer === this.viewer || !this.viewers.includes(viewer)) return;
    const recording = this.#record(viewer);
    recording.last = this.last;
    this.wanted = viewer;
    this.note = '';
    this.tell();
    await Promise.all([recording.read(), recording.arrival(this.version)]);
    if (this.wanted !== viewer || this.#closed) return;
    this.wanted = undefined;
    if (recording.problem) this.note = recording.problem.detail;
    else this.#take(recording);
    if (!this.isOver) this.#listen();
    this.#at(this.following ? this.last : this.version);
    this.tell();
  }

  retry() {
    if (this.problem) return this.open({ version: this.version, viewer: this.viewer });
    this.recording.problems.clear();
    if (this.recording.problem) this.recording.read();
    return this.#at(this.version);
  }

  begin() {
    this.following = false;
    this.#direction = 1;
    // At the end, replay from the beginning, or follow a table still in play.
    if (this.recording.adjacent(this.version, 1) !== undefined) return;
    if (this.isOver) this.#at(this.#beginning());
    else this.live(true);
  }

  arrival(version) {
    return this.recording.arrival(version);
  }

  finish() {
    this.live(!this.isOver);
  }

  #beginning() {
    return this.recording.rounds[0]?.version ?? this.recording.events[0]?.version ?? 1;
  }

  #at(version) {
    this.version = Math.min(Math.max(version, 1), this.last);
    this.seen = Math.max(this.seen, this.version);
    const ahead = AHEAD + (this.playing ? 2 * this.speed : 0);
    this.recording.want(this.recording.near(this.version, this.#direction, ahead));
  }

  #allowed(viewer) {
    this.note = '';
    if (viewer && this.viewers.includes(viewer)) return viewer;
    if (viewer && this.isOver) this.note = 'This link is for a seat that this table does not have.';
    else if (viewer) {
      this.note = 'While a table is in play, nobody sees the cards of others. '
        + 'Every seat can be viewed once the table is over.';
    }
    return this.viewers[0];
  }

  #record(viewer) {
    if (!this.#recordings.has(viewer)) {
      const recording = new Recording(this.path, viewer);
      recording.addEventListener('change', () => { if (recording === this.recording) this.tell(); });
      this.#recordings.set(viewer, recording);
    }
    return this.#recordings.get(viewer);
  }

  #take(recording) {
    this.recording = recording;
    this.#shown = recording.peek(this.version) ?? null;
  }

  #know(view) {
    if (!this.present || view.version >= this.present.version) this.present = view;
  }

  #listen() {
    this.#close();
    const { recording } = this;
    this.#close = follow(`${this.path}/events`, {
      query: { with: 'view', include: 'words', viewer: recording.viewer },
      onMessages: (messages) => messages.forEach((message) => this.#hear(message, recording)),
      onState: (state) => { this.connection = state; this.tell(); },
      onProblem: (problem) => { this.note = problem.detail; this.tell(); },
    });
  }

  #hear({ type, data }, recording) {
    if (recording !== this.recording) return;
    if (type === 'reset') {
      this.present = null;
      this.open({ viewer: this.viewer });
      return;
    }
    if (type === 'end') setTimeout(this.#close, REMATCH_MS);
    if (!data.view) return;
    const { version, head, view, events } = data;
    this.#know(view);
    recording.keep({ version, head, view });
    recording.add(events ?? [], version);
    if (type === 'snapshot') recording.read();
    // Move to the last moment before following is switched off at the end.
    if (this.following) this.#at(version);
    if (this.isOver) [this.following, this.note] = [false, ''];
    this.tell();
  }

  tell() {
    if (!this.#closed) super.tell();
  }
}
