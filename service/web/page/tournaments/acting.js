/** Shared by a tournament's page and its organiser's desk: live updates and commands. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { button } from '../kit/form.js';
import { settle } from '../kit/jobs.js';
import { session } from '../kit/session.js';
import { serverNow } from '../kit/stream.js';
import { failure, loading, setTitle } from '../kit/words.js';
import { upcoming } from './upcoming.js';
import { takeAlong, uninvited } from './invitation.js';
import { LiveTournament } from './live.js';
import { guardSeeds, unwatch, watch } from './reveal.js';
import { namesOf } from './terms.js';
import { entrantOf, heldBefore, tablesOf } from './view.js';

export class TournamentRoom extends Room {
  /** The name of the command being sent. */
  busy = '';

  /** The last refused command: `{name, problem}`. */
  refused = null;

  #named = null;

  #names = null;

  enter() {
    this.live = new LiveTournament(this.getAttribute('tournament'));
    this.listen(this.live, 'change', () => this.changed());
    this.listen(session, 'change', () => this.update());
    this.listen(this, 'pointerdown', (event) => takeAlong(this, event));
    this.listen(this, 'click', (event) => takeAlong(this, event));
    this.listen(window, 'pagehide', () => this.live.close());
    this.listen(window, 'pageshow', () => this.#attend());
    this.listen(document, 'visibilitychange', () => this.#attend());
    this.whenLeaving(() => {
      this.live.close();
      watch();
    });
    this.every(1000, () => this.#tick());
    this.#attend();
  }

  // Browsers allow six connections per server across all tabs, so a hidden tab keeps none open.
  #attend() {
    if (document.hidden) {
      this.live.close();
      watch();
    } else {
      unwatch(this.getAttribute('tournament'));
      this.live.open();
    }
  }

  // Redraws the countdown.
  #tick() {
    const { until } = (this.view && upcoming(this.view, this.names, this.live.standings)) ?? {};
    if (until && until > serverNow() - 2000) this.update();
  }

  get view() {
    return this.live.view;
  }

  /** The entrant using this browser, if any. */
  get me() {
    return session.player ? entrantOf(this.view, session.player.id) : undefined;
  }

  /** The entrant whose place the player using this browser holds or held, if any. */
  get place() {
    return session.player ? this.me ?? heldBefore(this.view, session.player.id) : undefined;
  }

  /** The entrant whose place is offered to the player using this browser, if any. */
  get offer() {
    return session.player ? this.view.entrants.find(({ offered_to: to }) => to?.id === session.player.id) : undefined;
  }

  /** The player's tables in play. */
  get tables() {
    return this.place?.number ? tablesOf(this.view, this.place, session.player.id) : [];
  }

  /** The request of the player using this browser to enter, if any. */
  get request() {
    return session.player ? this.view.applicants.find(({ id }) => id === session.player.id) : undefined;
  }

  /** True if the player using this browser has an open offer of an entry. */
  get isOffered() {
    return Boolean(session.player) && this.view.offered.includes(session.player.id);
  }

  /** True for the player who opened the tournament. */
  get isFirstOrganiser() {
    return Boolean(session.player) && session.player.id === this.view?.organiser;
  }

  /** True for co-organisers, too. */
  get isOrganiser() {
    return this.isFirstOrganiser || this.#is('co_organisers');
  }

  get isArbiter() {
    return this.#is('arbiters');
  }

  #is(officials) {
    return Boolean(session.player) && Boolean(this.view?.[officials].some(({ id }) => id === session.player.id));
  }

  get names() {
    if (this.#named !== this.view) [this.#named, this.#names] = [this.view, namesOf(this.view)];
    return this.#names;
  }

  changed() {
    if (this.view) {
      setTitle(this.headline());
      guardSeeds(this.view);
      this.#nameOrganiser();
      this.#nameSeries();
    }
    this.update();
  }

  async #nameOrganiser() {
    const { organiser } = this.view;
    if (this.organiserName || organiser === this.asked) return;
    this.asked = organiser;
    const player = await api.get(`/v1/players/${organiser}`).catch(() => null);
    if (player) this.set({ organiserName: player.name });
    else this.asked = null;
  }

  async #nameSeries() {
    const { series } = this.view;
    if (!series || this.seriesName !== undefined) return;
    this.seriesName = 'a series';
    const found = await api.get(`/v1/series/${series.series}`).catch(() => null);
    if (found) this.set({ seriesName: found.setup.name });
  }

  headline() {
    return this.view.setup.name;
  }

  /**
   * Sends a command to the tournament; `refusal(name)` shows the error if it fails.
   *
   * @param {string} name the command's name on this page
   * @param {string} path relative to the tournament's
   * @param {object} [body]
   * @returns {Promise<boolean>} whether it was accepted
   */
  async act(name, path, body = {}) {
    if (this.busy) return false;
    this.set({ busy: name, refused: null });
    try {
      const answer = await settle(api.post(`${this.live.path}${path}`, body));
      this.live.take(answer.tournament);
      this.set({ busy: '' });
      await this.#keepFocus();
      return true;
    } catch (problem) {
      this.set({ busy: '', refused: { name, problem } });
      return false;
    }
  }

  /** Shows a problem that occurred before the command was sent. */
  refuse(name, problem) {
    this.set({ busy: '', refused: { name, problem } });
  }

  refusal(name) {
    return this.refused?.name === name ? failure(this.refused.problem) : nothing;
  }

  // The pressed button may be gone, which drops the focus: move it to the tournament's status.
  async #keepFocus() {
    // The drawing that `take` and `set` have asked for is a microtask, and comes first.
    await null;
    const lost = !document.activeElement || document.activeElement === document.body;
    if (lost && this.isConnected) this.querySelector('.happens h2')?.focus();
  }

  template() {
    const { problem } = this.live;
    if (!this.view) {
      return html`<section class="page">${problem ? unavailable(this, problem)
        : loading('Loading the tournament')}</section>`;
    }
    return this.shown();
  }
}

function unavailable(room, problem) {
  return html`
    <h1>${problem.status === 404 ? 'There is no such tournament' : 'Could not load the tournament'}</h1>
    ${problem.status === 404 ? uninvited(room, room.getAttribute('tournament')) : failure(problem, () => location.reload())}
    <p><a href="/tournaments">All tournaments</a></p>`;
}

/** A button that sends a command of a tournament. */
export const commandButton = (room, name, label, send, look) => (
  button(label, { isBusy: room.busy === name, look, press: () => !room.busy && send() }));
