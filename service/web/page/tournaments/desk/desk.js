/** The organiser's desk: only the actions available now. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { session } from '../../kit/session.js';
import { TournamentRoom } from '../acting.js';
import { boardsDesk, followBoards } from './boards.js';
import { announcing, descriptionDesk } from './contact.js';
import { endings } from './endings.js';
import { entryDesk } from './entry.js';
import { byes, entrantsDesk } from './entrants.js';
import { journalDesk } from './journal.js';
import { nextStep } from './next.js';
import { offersDesk } from './offers.js';
import { officialsDesk, resigning } from './officials.js';
import { pairing } from './pairing.js';
import { rulings } from './rulings.js';
import { roundsDesk, sittingsDesk, tiebreaksDesk, voided } from './settings.js';
import { followWebhooks, webhooksDesk } from './webhooks.js';
import { head, present, trouble } from '../head.js';
import { isOver, orders } from '../view.js';

class Desk extends TournamentRoom {
  enter() {
    super.enter();
    followBoards(this);
    followWebhooks(this);
  }

  headline() {
    return `${this.isArbiter ? 'Arbiters’ desk' : 'Organiser’s desk'} · ${super.headline()}`;
  }

  shown() {
    const { view, live } = this;
    if (this.isArbiter) return this.forArbiter();
    if (!this.isOrganiser) return this.closed();
    const can = orders(view);
    return html`
      <article class="page tournament desk">
        ${head(this, 'Organiser’s desk')}
        ${trouble(live)}
        ${present(this)}
        ${nextStep(this, can)}
        ${isOver(view) ? html`<p>The tournament is over. <a href="/tournaments/${view.id}">See standings,
          rounds and files</a></p>` : nothing}
        ${can.tables ? pairing(this, can) : nothing}
        ${boardsDesk(this)}
        ${rulings(this)}
        ${can.voided.length ? voided(this, can) : nothing}
        ${isOver(view) ? nothing : [entryDesk(this), offersDesk(this), announcing(this)]}
        ${view.phase === 'draft' || isOver(view) ? nothing : entrantsDesk(this, can)}
        ${can.byes ? byes(this) : nothing}
        ${can.sittings.length ? sittingsDesk(this, can) : nothing}
        ${can.addRounds ? roundsDesk(this) : nothing}
        ${can.tiebreaks ? tiebreaksDesk(this) : nothing}
        ${isOver(view) ? nothing : [descriptionDesk(this), officialsDesk(this)]}
        ${webhooksDesk(this)}
        ${journalDesk(this)}
        ${endings(this, can)}
      </article>`;
  }

  forArbiter() {
    const { view, live } = this;
    return html`
      <article class="page tournament desk">
        ${head(this, 'Arbiters’ desk')}
        ${trouble(live)}
        ${present(this)}
        ${boardsDesk(this)}
        ${rulings(this)}
        ${isOver(view) ? nothing : announcing(this)}
        ${view.phase === 'draft' || isOver(view) ? nothing : entrantsDesk(this, {})}
        ${isOver(view) ? nothing : resigning(this)}
        ${journalDesk(this)}
      </article>`;
  }

  closed() {
    const who = this.organiserName ?? 'another player';
    return html`
      <article class="page tournament">
        ${head(this, 'Organiser’s desk')}
        <p class="notice">Only the player who opened the tournament, and co-organisers, can organise it: ${who}. ${
          session.player
            ? html`You are signed in as ${session.player.name}.`
            : html`If that is you, sign in with your token in <a href="/me">your settings</a>.`
        }</p>
        <p><a href="/tournaments/${this.view.id}">Go to the tournament</a></p>
      </article>`;
  }
}

customElements.define('hw-desk', Desk);
