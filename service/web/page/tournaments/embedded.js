/**
 * The standings in a frame of another web page. They are read without a token, so they are those that a stranger sees, and
 * nothing in the frame can be pressed in a player's name.
 */
import { html, render } from '../vendor/lit-html/lit-html.js';
import { TIEBREAKS, decimals, decimalsFor } from './terms.js';
import { standingsTitle } from './view.js';

const REFRESH_MS = 30_000;
const JOB_MS = 2000;
const PATH = location.pathname.replace(/\/embed$/, '');
const main = document.querySelector('main');

async function ask(path) {
  const answer = await fetch(`/v1${path}`, { credentials: 'omit', headers: { Accept: 'application/json' } });
  return { status: answer.status, body: await answer.json() };
}

function table(view, { rows, tiebreaks, round }) {
  const columns = [
    { title: 'Score', read: (row) => row.score },
    ...tiebreaks.map((name) => ({ title: TIEBREAKS[name][1], read: (row) => row.tiebreaks[name] })),
  ].map((column) => ({ ...column, places: decimalsFor(rows.map(column.read)) }));
  const isOnly = ({ name }) => rows.filter((other) => other.name === name).length === 1;
  const named = (row) => (isOnly(row) ? row.name : `${row.name} (${row.entrant})`);
  const number = (value, places) => (value === null ? '–' : decimals(value, places));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Standings"><table class="standings">
    <caption>${standingsTitle(view, round)}</caption>
    <thead><tr><th scope="col" class="number">Place</th><th scope="col">Entrant</th>
      ${columns.map(({ title }) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td class="number place">${row.rank ?? '–'}</td><th scope="row">${named(row)}</th>
      ${columns.map(({ read, places }) => html`<td class="number">${number(read(row), places)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** The answer about the standings. Those of a large tournament are the result of a job, and the next one is for a later version. */
async function standings() {
  const answer = await ask(`${PATH}/standings`);
  if (answer.status !== 202) return answer;
  let job = answer.body;
  while (job.state === 'queued' || job.state === 'running') {
    await pause(JOB_MS);
    ({ body: job } = await ask(`/jobs/${job.id}`));
  }
  return job.state === 'done' ? { status: 200, body: job.result } : { status: job.problem.status, body: job.problem };
}

function shown(view, { status, body }) {
  if (status === 200) return table(view, body);
  return html`<p>${body.code === 'no_standings' ? 'The tournament has not started.' : body.detail}</p>`;
}

async function read(view) {
  const answer = await standings();
  render(html`<h1><a href=${PATH} target="_blank" rel="noopener">${view.setup.name}</a></h1>${shown(view, answer)}`, main);
}

async function follow() {
  const { status, body } = await ask(PATH);
  main.replaceChildren();
  if (status !== 200) {
    render(html`<p>${body.detail}</p>`, main);
    return;
  }
  for (;;) {
    if (!document.hidden) await read(body.tournament).catch(() => {});
    await pause(REFRESH_MS);
  }
}

follow();
