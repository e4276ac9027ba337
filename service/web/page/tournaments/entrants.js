/** The entrants of a tournament. */
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { count, list } from '../kit/words.js';
import { teamName } from './teams.js';
import { half } from './terms.js';
import { currentSitting, hasStarted, isArena, isLive, isRoundLeft, remaining } from './view.js';

export function entrants(room, view) {
  if (!view.entrants.length) {
    return html`<p>${
      view.phase === 'draft'
        ? 'Nobody has entered yet: registration is not open.'
        : 'Nobody has entered yet. Be the first.'
    }</p>`;
  }
  const started = hasStarted(view);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Entrants"><table class="entrants">
    <caption>${count(remaining(view).length, 'entrant')}</caption>
    <thead><tr><th scope="col" class="number">${started ? 'Starting rank' : 'Arrival'}</th><th
      scope="col">Entrant</th>
      <th scope="col">Remarks</th></tr></thead>
    <tbody>${repeat(
      view.entrants,
      ({ id }) => id,
      (entrant, index) => html`
      <tr class=${entrant.id === room.me?.id ? 'mine' : nothing}>
        <td class="number">${entrant.number ?? index + 1}</td>
        <th scope="row">${entrant.policy ? room.names.id(entrant.id) : html`<a
          href="/players/${entrant.id}">${room.names.id(entrant.id)}</a>`}</th>
        <td>${remarks(room, entrant, index)}</td>
      </tr>`,
    )}</tbody></table></div>`;
}

/** Remarks on an entrant, separated by commas. */
export function remarks(room, entrant, index) {
  const { view } = room;
  const said = [];
  if (entrant.policy) said.push('bot');
  if (entrant.is_organiser) said.push('organiser');
  if (entrant.team) said.push(teamName(room, entrant.team));
  for (const { name, until } of entrant.predecessors)
    said.push(until ? `took over from ${name} after round ${until}` : `took over from ${name}`);
  if (entrant.offered_to) said.push(`place offered to ${entrant.offered_to.name}`);
  if (entrant.status === 'waiting') said.push(`waiting list, number ${index + 1 - view.setup.cap}`);
  if (entrant.status === 'expelled') said.push('expelled');
  if (entrant.status === 'withdrawn')
    said.push(entrant.left_after ? `withdrew after round ${entrant.left_after}` : 'withdrew');
  if (entrant.from_round > 1) said.push(`from round ${entrant.from_round}`);
  if (entrant.left_after === null) said.push(...attendance(view, entrant));
  if (entrant.requested_byes.length)
    said.push(`asked for a bye in round ${list(entrant.requested_byes.map(String))}`);
  for (const { round, score } of entrant.assigned_byes)
    said.push(`bye from the organiser in round ${round}, worth ${half(score)}`);
  return said.join(', ');
}

function attendance(view, entrant) {
  if (entrant.policy || !isLive(view) || !isRoundLeft(view)) return [];
  const { number } = currentSitting(view);
  if (entrant.absent_in === number) return [isArena(view) ? 'paused' : 'will miss the next sitting'];
  if (!view.setup.check_in || view.check_in !== number) return [];
  return [entrant.checked_in === number ? 'checked in' : 'not checked in yet'];
}
