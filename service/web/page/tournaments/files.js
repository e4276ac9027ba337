/** A tournament's downloads, and the check of its draws, pairings and standings. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { postLines, settle, working } from '../kit/jobs.js';
import { style } from '../kit/router.js';
import { count, failure } from '../kit/words.js';
import { checkList } from '../text/checks.js';
import { hasTeams } from './teams.js';
import { hasStarted, startedRounds } from './view.js';

const MAX_SIZE = 16 * 1024 * 1024;

export function files(room, view) {
  const { format, seats, deal, best_of: best, score_by: by } = view.setup;
  const isReportable = ['swiss', 'league'].includes(format) && seats === 2 && deal !== 'same' && !best && by !== 'points';
  const { path } = room.live;
  const started = hasStarted(view);
  return html`
    <h2>Files</h2>
    <ul>
      ${started ? html`<li><a href="${path}/results" download @click=${(event) => download(event, room)}>Results
        and standings of all rounds</a> <span
        class="small">(JSON)</span></li>` : nothing}
      ${started && isReportable ? html`<li><a href="${path}/report" download @click=${(event) =>
        download(event, room)}>Report for chess programs</a> <span
        class="small">(FIDE’s TRF-2026)</span></li>` : nothing}
      ${view.server_seed ? html`<li><a href="${path}/log" download>The log, with every draw and seed</a> <span
        class="small">(NDJSON)</span></li>` : nothing}
    </ul>
    ${started ? spreadsheets(room, view) : nothing}
    ${room.preparing ? working('The service is preparing the file', room.preparing) : nothing}
    <h2>Proof</h2>
    <p>Before anybody entered, the service committed to a secret seed. Every draw and every table's seed
      follows from it and from the entrants’ seeds.</p>
    <dl class="facts">
      <dt>Commitment</dt><dd><code>${view.commitment}</code></dd>
      <dt>Seed</dt><dd>${view.server_seed ? html`<code>${view.server_seed}</code>`
        : 'revealed when the last table ends'}</dd>
    </dl>
    ${view.server_seed ? verifying(room) : nothing}`;
}

/** The same facts as on the other tabs, for spreadsheets. */
function spreadsheets(room, view) {
  const { path } = room.live;
  const round = view.rounds.at(-1)?.round;
  const sheets = [
    [`${path}/standings?format=csv`, 'Standings'],
    ...(hasTeams(view) ? [[`${path}/team-standings`, 'Standings of the teams']] : []),
    [`${path}/crosstable`, 'Cross-table'],
    [`${path}/results?format=csv`, 'Results of all rounds'],
    ...(round ? [[`${path}/rounds/${round}?format=csv`, `Pairings of round ${round}`]] : []),
    [`${path}?format=csv`, 'Entrants'],
  ];
  return html`<h3>Spreadsheets <span class="small">(CSV)</span></h3>
    <ul>${sheets.map(([href, label]) => html`<li><a href=${href} download @click=${(event) =>
      download(event, room)}>${label}</a></li>`)}</ul>`;
}

/** Follows the link when the service has prepared the file, which is a background job for a large tournament. */
async function download(event, room) {
  const { href } = event.currentTarget;
  event.preventDefault();
  room.set({ preparing: {} });
  // On failure, the link itself shows the error.
  const asked = api.get(href, { as: 'text' }).then(jobIn);
  await settle(asked, (job) => room.set({ preparing: job })).catch(() => null);
  room.set({ preparing: null });
  location.assign(href);
}

/** The job in an answer; an empty object if the answer is the file itself. */
function jobIn(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function verifying(room) {
  const { verdict } = room;
  return html`
    <p><button type="button" aria-disabled=${verdict === 'busy' ? 'true' : nothing} @click=${() =>
      verify(room)}>
      ${verdict === 'busy' ? 'Checking …' : 'Verify the tournament'}</button></p>
    <p class="small">Downloads the logs of the tournament and all its tables. This browser checks their seals, seeds and cards by
      code independent of the service, and the service rechecks every draw, pairing, table and score.
      <code>hoodwink verify</code> does the same offline.</p>
    ${verdict === 'busy' ? working('The tournament is being checked', room.job) : nothing}
    <div role="status">${verdict && verdict !== 'busy' ? told(room, verdict) : nothing}</div>
    ${room.report ? byBrowser(room.report) : nothing}`;
}

function byBrowser(report) {
  const { passed, fault, tables } = report;
  return html`
    <h3>Checked in this browser</h3>
    <p class="notice ${passed ? 'verified' : 'failed'}" role="status">${passed
      ? `All seals match, and every card at ${count(tables, 'table')} follows from the seeds.`
      : `This tournament failed the check: ${fault.text}`}</p>
    ${checkList(report)}`;
}

function told(room, { problem, valid, events, rounds, tables, standings, finding }) {
  if (problem) return failure(problem);
  if (!valid)
    return html`<p class="notice failed">Verification failed: ${finding.detail}</p>`;
  const rows = room.live.standings?.rows ?? [];
  const agrees =
    standings.length === rows.length &&
    standings.every(
      ({ entrant, rank, score }, index) =>
        rows[index].entrant === entrant && rows[index].rank === rank && rows[index].score === score,
    );
  return html`<p class="notice verified">Everything follows from the seeds and the rules: ${count(events,
    'event')},
    ${count(rounds, 'round')} and ${count(tables, 'table')} were checked. The standings that follow from them
      are
    ${agrees ? 'those that this page shows' : html`<b>not</b> those that this page shows`}.</p>`;
}

async function verify(room) {
  if (room.verdict === 'busy') return;
  room.set({ verdict: 'busy', job: null, report: null });
  try {
    const [log, ...tables] = await logs(room);
    const [{ verifyTournament }] = await Promise.all([
      import('../proof/tournament.js'), style('checks').catch(() => null)]);
    const standings = room.live.standings?.rows;
    room.set({ report: await verifyTournament(log, tables, { standings }) });
    const told = (job) => room.set({ job });
    room.set({ verdict: await postLines('/v1/verify/tournament', [log, ...tables].join(''), told) });
  } catch (problem) {
    room.set({ verdict: { problem } });
  }
}

/** The tournament's log followed by those of its tables. */
async function logs(room) {
  const opened = startedRounds(room.view)
    .flatMap(({ boards }) => boards.flatMap(({ tables }) => tables))
    .filter(({ is_open: open }) => open);
  const parts = [await api.get(`${room.live.path}/log`, { as: 'text' })];
  let size = parts[0].length;
  for (const { table } of opened) {
    const log = await api.get(`/v1/tables/${table}/log`, { as: 'text' });
    parts.push(log);
    size += log.length;
    if (size > MAX_SIZE)
      throw {
        detail: 'The logs are too large to check here. Download them and run hoodwink verify.',
        faults: [],
      };
  }
  return parts;
}
