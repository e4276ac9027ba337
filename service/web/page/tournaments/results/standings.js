/** Standings, live or after any round, with an explanation of each number. */
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { html, nothing, render } from '../../vendor/lit-html/lit-html.js';
import { api } from '../../kit/api.js';
import { show as showDialog } from '../../kit/dialog.js';
import { field } from '../../kit/form.js';
import { settle } from '../../kit/jobs.js';
import { failure, list, loading, nth } from '../../kit/words.js';
import { TIEBREAKS, decimals, decimalsFor } from '../terms.js';
import { isArena, standingsTitle, startedRounds } from '../view.js';

export function standings(room, view) {
  const after = room.afterRound ?? null;
  const shown = after === null ? room.live.standings : room.earlier;
  return html`
    ${startedRounds(view).length > 1 && !isArena(view) ? chooser(room, view) : nothing}
    ${room.earlierProblem ? failure(room.earlierProblem, () => show(room, after))
      : shown ? html`
        <div class="scroll" tabindex="0" role="region" aria-label="Standings">${table(room, shown)}</div>
        <p class="small on-screen">Select a number to see how it was calculated.</p>`
        : loading('Loading the standings')}`;
}

function chooser(room, view) {
  const rounds = startedRounds(view).map(({ round }) => [round, `round ${round}`]);
  return html`<div class="filters">${field({
    id: 'after',
    label: 'Standings after',
    kind: 'choice',
    choices: [[null, 'the latest result'], ...rounds],
    value: room.afterRound ?? null,
    change: (after) => show(room, after),
  })}</div>`;
}

async function show(room, after) {
  room.set({ afterRound: after, earlier: null, earlierProblem: null });
  if (after === null) return;
  try {
    const earlier = await settle(api.get(`${room.live.path}/standings`, { query: { round: after } }));
    if (room.afterRound === after) room.set({ earlier });
  } catch (problem) {
    if (room.afterRound === after) room.set({ earlierProblem: problem });
  }
}

function table(room, { rows, tiebreaks, round }) {
  const isKnockout = room.view.setup.format === 'knockout';
  const columns = [null, ...tiebreaks].map((name) => ({ name,
    places: decimalsFor(rows.map(valueOf(name))) }));
  const open = (row, name) => explain(room, row, round, name);
  const heading = ({ name }) => (name === null
    ? html`<th scope="col" class="number">Score</th>`
    : html`<th scope="col" class="number" title=${TIEBREAKS[name][2]}>${TIEBREAKS[name][1]}</th>`);
  return html`<table class="standings">
    <caption>${standingsTitle(room.view, round)}</caption>
    <thead><tr>
      <th scope="col" class="number place">Place</th><th scope="col">Entrant</th>
      ${isKnockout ? html`<th scope="col">Reached</th>` : nothing}
      ${columns.map(heading)}
    </tr></thead>
    <tbody>${repeat(rows, ({ entrant }) => entrant, (row) => line(room, row, columns,
      open))}</tbody></table>`;
}

function remarks({ streak, marks: { is_organiser: organises, assigned_byes: byes, by_bot: byBot, ruled } }) {
  const said = organises ? ['organiser'] : [];
  if (streak > 1) said.push(`${streak} wins in a row`);
  if (byes.length) said.push(`bye from the organiser in ${roundsOf(byes)}`);
  if (byBot.length) said.push(`a bot took most of the turns in ${roundsOf(byBot)}`);
  if (ruled?.length) said.push(`ruling in ${roundsOf(ruled)}`);
  return said.join(', ');
}

const roundsOf = (numbers) => `${numbers.length === 1 ? 'round' : 'rounds'} ${list(numbers.map(String))}`;

/** A row's score (null) or named tie-break. */
const valueOf = (name) => (row) => (name === null ? row.score : row.tiebreaks[name]);

function line(room, row, columns, open) {
  const isKnockout = room.view.setup.format === 'knockout';
  const said = remarks(row);
  const cell = ({ name, places }) => html`<td class="number">${number(row, name, places, open)}</td>`;
  return html`<tr class=${row.entrant === room.me?.number ? 'mine' : nothing} data-entrant=${row.entrant}>
    <td class="number place">${row.rank ?? html`<span title="Expelled, so without a place">–</span>`}</td>
    <th scope="row">${named(room, row)}${said ? html`<br><span class="small">${said}</span>` : nothing}</th>
    ${isKnockout ? html`<td>${reached(room.view, row.stage)}</td>` : nothing}
    ${columns.map(cell)}</tr>`;
}

function named(room, { entrant, id }) {
  const name = room.names.of(entrant);
  return id.includes(':') ? html`${name}` : html`<a href="/players/${id}">${name}</a>`;
}

function number(row, name, places, open) {
  const value = valueOf(name)(row);
  if (value === null) return html`<span class="soft">–</span>`;
  const shown = decimals(value, places);
  const title = name === null ? 'Score' : TIEBREAKS[name][0];
  return html`<button class="explain" type="button" data-number=${name ?? 'score'}
    aria-label="${title} of ${row.name}: ${shown}. Explain it." @click=${() => open(row,
      name ?? 'score')}>${shown}</button>`;
}

/** The stage that an entrant reached in a knockout. */
export function reached({ rounds_planned: planned, setup, phase }, stage) {
  if (!stage?.round) return '';
  if (stage.place === 1) return 'Winner';
  if (stage.place && (setup.seats > 2 || stage.place > 2)) return `${nth(stage.place)} place`;
  if (stage.place || (stage.round === planned && phase !== 'finished')) return 'Final';
  return setup.seats === 2 && stage.round === planned - 1 ? 'Semifinal' : `Round ${stage.round}`;
}

/** Opens a dialog that explains a row, scrolled to one of its numbers. */
async function explain(room, row, round, name) {
  const dialog = showDialog(
    `${room.names.of(row.entrant)}${row.rank ? `, place ${row.rank}` : ''}`, html`<div class="explained"></div>`);
  const draw = (content) => render(content, dialog.querySelector('.explained'));
  draw(loading('Asking the service'));
  try {
    const path = `${room.live.path}/standings/${row.entrant}`;
    const query = { round: round || undefined };
    draw(explained(await settle(api.get(path, { query })), name));
    dialog.querySelector('.asked')?.scrollIntoView({ block: 'nearest' });
  } catch (problem) {
    draw(failure(problem));
  }
}

/** A sentence of the service with a true minus and curly apostrophes, like the columns. */
const typeset = (words) => words.replaceAll("'", '’').replace(/(?<= )-(?=\d)/g, '−');

function explained({ stage, numbers }, asked) {
  return html`${stage ? html`<p>${stage}</p>` : nothing}${numbers.map(({ words, data }) => {
    const name = data.tiebreak ?? 'score';
    const [total, ...parts] = typeset(words).split(/(?<=\.) (?=(?:After round|Round) \d+: )/);
    return html`<section class=${name === asked ? 'asked' : nothing} data-number=${name}>
      <h3>${total}</h3>
      ${name === 'score' ? nothing : html`<p class="small">${TIEBREAKS[name][2]}</p>`}
      ${parts.length ? html`<ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>` : nothing}
    </section>`;
  })}`;
}
