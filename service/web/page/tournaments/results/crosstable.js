/** The cross-table: entrant against entrant in a two-player round robin, otherwise by round. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { loading } from '../../kit/words.js';
import { cell, inRound } from './marks.js';
import { decimals, decimalsFor } from '../terms.js';
import { startedRounds } from '../view.js';

export function crossTable(room, view) {
  const rows = room.live.standings?.rows;
  if (!rows) return loading('Loading the results');
  const { format, seats } = view.setup;
  const isMatrix = format === 'round_robin' && seats === 2;
  const drawn = isMatrix ? matrix(room, rows) : byRound(room, rows);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Cross-table">${drawn}</div>
    <p class="small">${legend(seats, isMatrix)} Each mark links to its table.</p>`;
}

function legend(seats, isMatrix) {
  const others = '+ won without playing, − did not appear, * a bot took most of the turns';
  if (seats > 2) return `The place at the table; = shared, ${others}.`;
  const marks = `1 won, ½ drawn or without a result, 0 lost, ${others}`;
  return isMatrix ? `${marks}.` : `${marks}; a small number is the opponent’s line.`;
}

const scores = (rows) => {
  const places = decimalsFor(rows.map(({ score }) => score));
  return (row) => decimals(row.score, places);
};

/** Marks by pair of entrants, one for each meeting. */
function matrix(room, rows) {
  const score = scores(rows);
  const { names } = room;
  const started = startedRounds(room.view);
  const met = new Map(rows.map(({ entrant }) => [entrant, new Map()]));
  for (const round of started) {
    for (const [entrant, against] of met) {
      const found = inRound(round, entrant);
      if (found?.others) against.set(found.others[0], [...(against.get(found.others[0]) ?? []), found]);
    }
  }
  return html`<table class="cross">
    <caption>Results, rows against columns</caption>
    <thead><tr><th scope="col" class="number"><abbr title="Line">#</abbr></th><th scope="col">Entrant</th>
      ${rows.map(
        ({ entrant }, index) => html`<th scope="col" class="mark-column" title=${names.of(entrant)}>
        <span aria-hidden="true">${index + 1}</span><span class="unseen">${names.of(entrant)}</span></th>`,
      )}
      <th scope="col" class="number">Score</th></tr></thead>
    <tbody>${rows.map(
      (row, index) => html`<tr class=${row.entrant === room.me?.number ? 'mine' : nothing}
        data-entrant=${row.entrant}>
      <td class="number soft">${index + 1}</td>
      <th scope="row">${names.of(row.entrant)}</th>
      ${rows.map(({ entrant }) =>
        entrant === row.entrant
          ? html`<td class="self"><span class="unseen">the same entrant</span></td>`
          : html`<td class="mark-column" data-against=${entrant}>${met
              .get(row.entrant)
              .get(entrant)
              ?.map((found) => cell(found, names, { opponents: false }))}</td>`,
      )}
      <td class="number">${score(row)}</td></tr>`,
    )}</tbody></table>`;
}

/** Marks by entrant and round, with the opponent's line at two-player tables. */
function byRound(room, rows) {
  const score = scores(rows);
  const { names } = room;
  const line = new Map(rows.map(({ entrant }, index) => [entrant, index + 1]));
  const started = startedRounds(room.view);
  const opponent = (found) =>
    found?.size === 2 && found.others.length
      ? html`<span class="opponent" aria-hidden="true">${line.get(found.others[0])}</span>`
      : nothing;
  return html`<table class="cross">
    <caption>Results by round</caption>
    <thead><tr><th scope="col" class="number"><abbr title="Line">#</abbr></th><th scope="col">Entrant</th>
      ${started.map(({ round }) => html`<th scope="col" class="mark-column"><span class="unseen">Round
        </span>${round}</th>`)}
      <th scope="col" class="number">Score</th></tr></thead>
    <tbody>${rows.map(
      (row, index) => html`<tr class=${row.entrant === room.me?.number ? 'mine' : nothing}
        data-entrant=${row.entrant}>
      <td class="number soft">${index + 1}</td>
      <th scope="row">${names.of(row.entrant)}</th>
      ${started.map((round) => {
        const found = inRound(round, row.entrant);
        return html`<td class="mark-column" data-round=${round.round}>${cell(found, names, {
          seats: room.view.setup.seats })}${opponent(found)}</td>`;
      })}
      <td class="number">${score(row)}</td></tr>`,
    )}</tbody></table>`;
}
