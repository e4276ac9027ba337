/** The organiser's desk: only the actions available now. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { session } from '../../kit/session.js';
import { failure } from '../../kit/words.js';
import { TournamentRoom } from '../acting.js';
import { endings } from './endings.js';
import { byes, entrantsDesk } from './entrants.js';
import { nextStep } from './next.js';
import { pairing } from './pairing.js';
import { sittingsDesk, tiebreaksDesk, voided } from './settings.js';
import { head, present } from '../head.js';
import { isOver, orders } from '../view.js';

class Desk extends TournamentRoom {
  headline() {
    return `Organiser’s desk · ${super.headline()}`;
  }

  shown() {
    const { view, live } = this;
    if (!this.isOrganiser) return this.closed();
    const can = orders(view);
    return html`
      <article class="page tournament desk">
        ${head(this, 'Organiser’s desk')}
        ${live.problem ? failure(live.problem, () => location.reload()) : nothing}
        ${live.connection === 'lost' ? html`<p class="notice" role="status">Connection lost; this page may be out
          of date. It will reconnect by itself.</p>` : nothing}
        ${present(this)}
        ${nextStep(this, can)}
        ${isOver(view) ? html`<p>There is nothing left to organise. <a href="/tournaments/${view.id}">See standings,
          rounds and files</a></p>` : nothing}
        ${can.tables ? pairing(this, can) : nothing}
        ${view.phase === 'draft' || isOver(view) ? nothing : entrantsDesk(this, can)}
        ${can.byes ? byes(this) : nothing}
        ${can.sittings.length ? sittingsDesk(this, can) : nothing}
        ${can.tiebreaks ? tiebreaksDesk(this) : nothing}
        ${can.voided.length ? voided(this, can) : nothing}
        ${endings(this, can)}
      </article>`;
  }

  closed() {
    const who = this.organiserName ?? 'another player';
    return html`
      <article class="page tournament">
        ${head(this, 'Organiser’s desk')}
        <p class="notice">Only the player who opened the tournament can organise it: ${who}. ${
          session.player
            ? html`You are signed in as ${session.player.name}.`
            : html`If that is you, sign in with your token in <a href="/me">your settings</a>.`
        }</p>
        <p><a href="/tournaments/${this.view.id}">Go to the tournament</a></p>
      </article>`;
  }
}

customElements.define('hw-desk', Desk);
