/** `hw-table-menu`: what a player can do besides playing, such as coming back or resigning. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { gameInfo } from '../kit/games.js';
import { later } from './later.js';
import { style } from '../kit/router.js';
import { loading, moment } from '../kit/words.js';
import { AtTable, nameAt } from './at_table.js';
import { confirm, show } from '../kit/dialog.js';
import './opening/invite.js';
import { shuffling } from './shuffling.js';

const RULES = async () => (await Promise.all([import('../rules/rules.js'), style('rules')]))[0];

const isPerson = ({ player, policy, resigned }) => Boolean(player) && !policy && !resigned;

class TableMenu extends AtTable {
  /** Whether its panel is open when it is first drawn. */
  isOpen = false;

  areRulesOpen = false;

  /** The description of the game, with its rules. */
  rules = null;

  template() {
    const { table } = this;
    return html`
      ${table.phase === 'playing' ? this.#calls() : nothing}
      <details class="panel table-menu" ?open=${this.isOpen} @toggle=${() => import('./opening/invite.js')}>
        <summary><h2>Table</h2></summary>
        ${this.#rules()}
        <ul class="plain-list">
          ${table.phase === 'ended' ? html`
            <li><a href="/tables/${table.id}/replay">Replay and verify</a></li>` : nothing}
          ${table.tournament ? html`
            <li><a href="/tournaments/${table.tournament.tournament}">
              The tournament: round ${table.tournament.round}, board ${table.tournament.board}</a></li>`
            : nothing}
          ${table.parent ? html`
            <li><a href="/tables/${table.parent.table}/replay">The table that this one continues</a></li>`
            : nothing}
          <li><button class="plain" @click=${() => show('How this table is shuffled', shuffling(table))}>
            How this table is shuffled</button></li>
        </ul>
        ${table.phase === 'playing' ? html`<hw-invite .table=${table}></hw-invite>` : nothing}
        ${this.#endings()}
      </details>`;
  }

  #rules() {
    const { table: { game }, areRulesOpen, rules } = this;
    const module = areRulesOpen && later(RULES, () => this.update());
    if (module && !rules) gameInfo(game).then((info) => this.set({ rules: info }), () => {});
    return html`
      <details @toggle=${({ target }) => this.set({ areRulesOpen: target.open })}>
        <summary>Rules of the game</summary>
        <div class="sidebar-rules" tabindex="0" role="region" aria-label="Rules of the game">
          ${module && rules ? module.rulesOf(rules, { prefix: 'sidebar-', below: 1 }) : loading('Loading the rules')}
        </div>
        <p class="small"><a href="/rules/${game}" target="_blank" rel="noopener">Open in another tab, with a
          link to each rule</a></p>
      </details>`;
  }

  // Shown outside the panel, because players would not look for it there.
  #calls() {
    const { mine, table } = this;
    const away = mine && isPerson(mine) ? table.seats.filter((seat) => seat !== mine && isAway(seat)) : [];
    const isKept = mine && isPerson(mine) && mine.bot_kept;
    return html`
      ${isKept ? html`
        <div class="notice" role="status">
          <p>A bot plays at your seat, because you were away.</p>
          <button class="main" ?disabled=${this.busy} @click=${() => this.post('return', 'return')}>
            Return to my seat</button>
        </div>` : nothing}
      ${this.refusal('return')}
      ${away.map((seat) => html`
        <div class="notice" role="status">
          <p>${nameAt(table, seat.seat)} is away: the clock ran out at ${moment(seat.away_since)}. If you
            claim the seat, a bot plays there until ${seat.name} returns.</p>
          <button ?disabled=${this.busy} @click=${() => this.post('claim', `seats/${seat.seat}/claim`)}>
            Claim the seat of ${nameAt(table, seat.seat)}</button>
        </div>`)}
      ${this.refusal('claim')}`;
  }

  #endings() {
    const { mine, table } = this;
    if (table.phase !== 'playing') return nothing;
    const onlyBots = table.seats.every(({ policy }) => policy);
    return html`
      ${mine && isPerson(mine) ? html`
        <button class="danger" ?disabled=${this.busy} @click=${() => this.#resign()}>Resign …</button>`
        : nothing}
      ${mine?.resigned ? html`<p class="small">You have resigned; a bot plays at your seat.</p>` : nothing}
      ${this.refusal('resign')}
      ${this.isHost && onlyBots ? html`
        <button class="danger" ?disabled=${this.busy} @click=${() => this.#end()}>End this table …</button>`
        : nothing}
      ${this.refusal('close')}`;
  }

  async #resign() {
    const isSure = await confirm({
      title: 'Resign?',
      text: 'A bot plays on at your seat, and you cannot take it back. You finish behind everybody who has '
        + 'not resigned.',
      yes: 'Resign',
      no: 'Play on',
    });
    if (isSure) await this.post('resign', 'resign', { confirm: true });
  }

  async #end() {
    const isSure = await confirm({
      title: 'End this table?',
      text: 'Only bots play here. The table ends without a result; rounds that have been scored still count.',
      yes: 'End the table',
      no: 'Let them play',
    });
    if (isSure) await this.post('close', 'close', { confirm: true });
  }
}

const isAway = (seat) => isPerson(seat) && seat.away_since !== null && !seat.bot_kept;

customElements.define('hw-table-menu', TableMenu);
