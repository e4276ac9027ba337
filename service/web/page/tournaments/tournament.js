/** A tournament's live page: status, the player's options and tabs. */
import { html } from '../vendor/lit-html/lit-html.js';
import { go, setQuery } from '../kit/router.js';
import { TournamentRoom } from './acting.js';
import { bracket } from './results/bracket.js';
import { about, announcements } from './contact.js';
import { crossTable } from './results/crosstable.js';
import { deals } from './results/deals.js';
import { entrants } from './entrants.js';
import { files } from './files.js';
import { head, present, trouble } from './head.js';
import { history } from './history.js';
import { rounds } from './results/rounds.js';
import { settings } from './settings.js';
import { standings } from './results/standings.js';
import { hasTeams, teams } from './teams.js';
import { hasStarted, isArena } from './view.js';
import { myEntry } from './my_entry.js';
import { cards, printing } from './printing.js';

const TABS = {
  standings: ['Standings', standings],
  bracket: ['Bracket', bracket],
  cross: ['Cross-table', crossTable],
  rounds: ['Rounds', rounds],
  deals: ['Deals', deals],
  teams: ['Teams', teams],
  entrants: ['Entrants', entrants],
  about: ['About', about],
  settings: ['Settings', settings],
  history: ['History', history],
  files: ['Files and proof', files],
};

/** The tables of arenas that opened by themselves, so that one can come back here from each of them. */
const visited = new Set();

class TournamentPage extends TournamentRoom {
  enter() {
    this.tab = new URLSearchParams(location.search).get('tab');
    super.enter();
  }

  changed() {
    super.changed();
    if (this.view && isArena(this.view) && this.me?.number) this.#goToTable();
  }

  /** Opens the player's next table of an arena. */
  #goToTable() {
    const next = this.tables.find(({ deal }) => deal.is_open && !visited.has(deal.table));
    if (!next) return;
    visited.add(next.deal.table);
    go(`/tables/${next.deal.table}`);
  }

  get tabs() {
    const files = this.view.server_seed || hasStarted(this.view) ? ['files'] : [];
    const about = this.view.description ? ['about'] : [];
    const teams = hasTeams(this.view) ? ['teams'] : [];
    if (!hasStarted(this.view)) return [...about, 'entrants', ...teams, 'settings', 'history', ...files];
    const drawn = this.view.setup.format === 'knockout' ? 'bracket' : 'cross';
    if (isArena(this.view)) return ['standings', ...teams, 'rounds', 'entrants', ...about, 'settings', 'history', ...files];
    const first = drawn === 'bracket' ? ['bracket', 'standings'] : ['standings', ...teams, 'cross'];
    const shared = this.view.setup.deal === 'same' ? ['deals'] : [];
    return [...first, 'rounds', ...shared, 'entrants', ...about, 'settings', 'history', ...files];
  }

  get current() {
    return this.tabs.includes(this.tab) ? this.tab : this.tabs[0];
  }

  headline() {
    const waits = this.tables.some(({ deal }) => deal.is_open);
    return waits ? `Your table is open · ${super.headline()}` : super.headline();
  }

  turnTo(tab) {
    setQuery({ tab: tab === this.tabs[0] ? null : tab });
    this.set({ tab });
  }

  shown() {
    const { view, live } = this;
    const render = TABS[this.current][1];
    return html`
      <article class="page tournament">
        ${head(this)}
        ${trouble(live)}
        ${present(this)}
        ${myEntry(this)}
        ${announcements(this)}
        ${tabList(this)}
        <section id="tabpanel" role="tabpanel" aria-labelledby="tab-${this.current}" tabindex="-1">
          ${printing(this)}
          ${render(this, view)}
          ${cards(this)}
        </section>
      </article>`;
  }
}

function tabList(room) {
  const { tabs, current } = room;
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const tab = tabs[(tabs.indexOf(current) + step + tabs.length) % tabs.length];
    room.turnTo(tab);
    room.querySelector(`#tab-${tab}`).focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="About the tournament" @keydown=${move}>
    ${tabs.map(
      (tab) => html`<button type="button" role="tab" id="tab-${tab}" aria-controls="tabpanel"
      aria-selected=${tab === current ? 'true' : 'false'} tabindex=${tab === current ? 0 : -1}
      @click=${() => room.turnTo(tab)}>${TABS[tab][0]}</button>`,
    )}
  </div>`;
}

customElements.define('hw-tournament', TournamentPage);
