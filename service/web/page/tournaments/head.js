/** The top of a tournament's page and of its organiser's desk. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { titleOf } from '../kit/games.js';
import { count, failure, humanised, list, moment } from '../kit/words.js';
import { bestTeams, hasTeams } from './teams.js';
import { upcoming } from './upcoming.js';
import { DEALS, FORMATS, PHASES, VISIBILITY, system } from './terms.js';
import { isOver } from './view.js';

const officials = (title, named) => (named.length ? html` · ${title}: ${list(named.map(({ name }) => name))}` : nothing);

/** The name, phase and system; `at` is the title of a subpage. */
export function head(room, at = '') {
  const { view } = room;
  const { setup } = view;
  const rounds = view.rounds_planned ? ` · ${count(view.rounds_planned, 'round')}` : '';
  return html`
    <nav class="crumbs" aria-label="Where you are"><a href="/tournaments">Tournaments</a>
      ${at ? html` › <a href="/tournaments/${view.id}">${setup.name}</a>` : nothing}</nav>
    <header class="head">
      <h1>${at || setup.name}</h1>
      <span class="phase ${view.phase}">${PHASES[view.phase]}</span>
      ${setup.visibility === 'public' ? nothing : html`<span class="phase"
        title=${VISIBILITY[setup.visibility][1]}>${humanised(setup.visibility)}</span>`}
      ${(room.isOrganiser || room.isArbiter) && !at ? html`<a class="button" href="/tournaments/${view.id}/desk">${
        room.isOrganiser ? 'Organiser’s desk' : 'Arbiters’ desk'}</a>` : nothing}
    </header>
    <p class="small"><span title=${FORMATS[setup.format][1]}>${system(setup)}</span> ·
      <a href="/games/${setup.game}">${titleOf(setup.game)}</a>${rounds}${hasTeams(view) ? ` · teams of up to ${setup.team_size}` : nothing}${setup.deal === 'same' ? html` ·
      <span title=${DEALS.same[1]}>${DEALS.same[0].toLowerCase()}</span>` : nothing}${officials('Co-organisers', view.co_organisers)}${
      officials('Arbiters', view.arbiters)}${view.series ? html` ·
      <a href="/series/${view.series.series}">Tournament ${view.series.number} of ${room.seriesName}</a>` : nothing}</p>`;
}

/** Why the page may be out of date. */
export const trouble = ({ problem, connection }) => html`
  ${problem ? failure(problem, () => location.reload()) : nothing}
  ${connection === 'lost' ? html`<p class="notice" role="status">Connection lost; this page may be out of date. It
    will reconnect by itself.</p>` : nothing}`;

/** The current status and the latest news. */
export function present(room) {
  const now = upcoming(room.view, room.names, room.live.standings);
  const { latest } = room.live;
  return html`
    <section class="panel happens" aria-labelledby="happens">
      <h2 id="happens" tabindex="-1">${now.title}</h2>
      <p>${now.text}</p>
      ${bestTeams(room)}
      <p class="latest small ${isOver(room.view) ? 'over' : ''}" role="status">${
        latest
          ? html`${moment(latest.at)}: ${latest.words}`
          : isOver(room.view)
            ? nothing
            : 'News appears here as it happens.'
      }</p>
    </section>`;
}
