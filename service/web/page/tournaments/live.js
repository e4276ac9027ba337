/** A tournament that its live stream keeps up to date. */
import { api } from '../kit/api.js';
import { settle } from '../kit/jobs.js';
import { follow } from '../kit/stream.js';
import { hasStarted, isArena, withRulings } from './view.js';

/** Events shown to everybody as news; the others matter only to the entrant they name. */
const LOUD = new Set([
  'registration_opened',
  'started',
  'check_in_opened',
  'round_opened',
  'pairing_changed',
  'pairing_dropped',
  'round_started',
  'table_reported',
  'deal_released',
  'deal_added',
  'round_completed',
  'bell_rung',
  'overtime_ended',
  'table_voided',
  'void_scored',
  'table_stopped',
  'result_ruled',
  'ruling_reversed',
  'tiebreaks_changed',
  'sitting_rescheduled',
  'paused',
  'resumed',
  'finished',
  'cancelled',
  'expelled',
  'withdrew',
  'entrant_withdrawn',
  'marked_absent',
  'rounds_added',
  'entrant_substituted',
  'place_offered',
  'place_declined',
  'substitution_reversed',
  'withdrawal_reversed',
  'absence_reversed',
  'added_rounds_reversed',
  'described',
  'announced',
  'arbiter_named',
  'arbiter_removed',
  'co_organiser_named',
  'co_organiser_removed',
  'entered',
  'seed_revealed',
]);

/** Bursts of events, such as bots entering, cause one request instead of many. */
const PAUSE_MS = 250;

/**
 * An arena has hundreds of tables and an event every second, so its page is up to two seconds late. With thousands of
 * tables, an answer has megabytes and uses up more of the player's budget of reads.
 */
const arenaPause = ({ rounds }) => Math.max(2000, rounds.reduce((tables, { boards }) => tables + boards.length, 0));

export const kindOf = ({ type }) => type.replace('tournament.', '').replace(/@\d+$/, '');

const pause = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export class LiveTournament extends EventTarget {
  /** The tournament as returned by `GET /v1/tournaments/{id}`; null until loaded. */
  view = null;

  /** The latest standings; null before the start. */
  standings = null;

  /** Why the tournament could not be loaded or updated. */
  problem = null;

  /** Events received from the stream, oldest first. */
  events = [];

  /** The latest event that is news to everybody. */
  latest = null;

  connection = 'connecting';

  #close = null;

  #isOver = false;

  #isFetching = false;

  #isStale = false;

  constructor(id) {
    super();
    this.path = `/v1/tournaments/${id}`;
  }

  open() {
    if (this.#close || this.#isOver) return;
    this.#close = follow(`${this.path}/events`, {
      query: { include: 'words' },
      onMessages: (messages) => this.#hear(messages),
      onState: (connection) => this.#changed({ connection }),
      onProblem: (problem) => this.#changed({ problem }),
    });
  }

  close() {
    this.#close?.();
    this.#close = null;
  }

  /** Takes the tournament from a command's answer, unless the stream has already delivered a newer one. */
  take(view) {
    if (this.view && view.version < this.view.version) return;
    this.#changed({ view: withRulings(view), problem: null });
    if (hasStarted(view) && this.standings?.version !== view.version) this.#refresh();
  }

  #hear(messages) {
    const isReset = messages.some(({ type }) => type === 'reset');
    if (isReset) Object.assign(this, { view: null, standings: null, events: [], latest: null });
    const snapshot = messages.findLast(({ type }) => type === 'snapshot');
    if (snapshot) this.take(snapshot.data.tournament);
    const events = messages.filter(({ type }) => type === 'message').map(({ data }) => data);
    if (events.length) this.#append(events);
    if (!messages.some(({ type }) => type === 'end')) return;
    this.#isOver = true;
    this.close();
    this.#changed({ connection: 'open' });
  }

  #append(events) {
    this.events = [...this.events, ...events];
    this.#changed({ latest: events.findLast((event) => LOUD.has(kindOf(event))) ?? this.latest });
    if (events.at(-1).version > (this.view?.version ?? 0)) this.#refresh();
  }

  // Events do not carry the resulting tournament. The standings have a stream, too, but browsers allow only six
  // connections per server across all tabs.
  async #refresh() {
    this.#isStale = true;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#fetch();
        if (this.view && isArena(this.view)) await pause(arenaPause(this.view));
        else if (this.#isStale) await pause(PAUSE_MS);
      }
    } catch (problem) {
      this.#changed({ problem });
    } finally {
      this.#isFetching = false;
    }
  }

  async #fetch() {
    const heard = this.events.at(-1)?.version ?? 0;
    const { tournament } =
      this.view && this.view.version >= heard ? { tournament: this.view } : await api.get(this.path);
    const standings = hasStarted(tournament) ? await settle(api.get(`${this.path}/standings`)) : null;
    if (this.view && tournament.version < this.view.version) this.#isStale = true;
    else this.#changed({ view: withRulings(tournament), standings, problem: null });
  }

  #changed(changes) {
    Object.assign(this, changes);
    this.dispatchEvent(new Event('change'));
  }
}
