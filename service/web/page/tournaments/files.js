/** What can be downloaded of a tournament, and the proof that its draws, pairings and standings are right. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { postLines, settled, working } from '../kit/jobs.js';
import { count, failure } from '../kit/words.js';
import { hasStarted, startedRounds } from './view.js';

const LARGEST = 16 * 1024 * 1024;

export function files(room, view) {
  const isTwoSwiss = view.setup.format === 'swiss' && view.setup.seats === 2;
  const { path } = room.live;
  const started = hasStarted(view);
  return html`
    <h2>Files</h2>
    <ul>
      ${started ? html`<li><a href="${path}/results" download @click=${(event) => download(event, room)}>Results
        and standings of all rounds</a> <span
        class="small">(JSON)</span></li>` : nothing}
      ${started && isTwoSwiss ? html`<li><a href="${path}/report" download @click=${(event) =>
        download(event, room)}>Report for chess programs</a> <span
        class="small">(FIDE’s TRF-2026)</span></li>` : nothing}
      ${view.server_seed ? html`<li><a href="${path}/log" download>The log, with every draw and seed</a> <span
        class="small">(NDJSON)</span></li>` : nothing}
    </ul>
    ${room.preparing ? working('The service is preparing the file', room.preparing) : nothing}
    <h2>Proof</h2>
    <p>Before anybody entered, the service committed to a secret seed. All lots, and the seeds of all tables,
      follow from it and from the seeds of the entrants.</p>
    <dl class="facts">
      <dt>Commitment</dt><dd><code>${view.commitment}</code></dd>
      <dt>Seed</dt><dd>${view.server_seed ? html`<code>${view.server_seed}</code>`
        : 'is revealed when the last table has ended'}</dd>
    </dl>
    ${view.server_seed ? verifying(room) : nothing}`;
}

/** The file of a large tournament is a job of the service: the link is followed once that has ended. */
async function download(event, room) {
  const { href } = event.currentTarget;
  event.preventDefault();
  room.set({ preparing: {} });
  // Whatever is wrong is what the link shows.
  await settled(api.get(href), (job) => room.set({ preparing: job })).catch(() => null);
  room.set({ preparing: null });
  location.assign(href);
}

function verifying(room) {
  const { verdict } = room;
  return html`
    <p><button type="button" aria-disabled=${verdict === 'busy' ? 'true' : nothing} @click=${() =>
      verify(room)}>
      ${verdict === 'busy' ? 'Checking …' : 'Verify the tournament'}</button></p>
    <p class="small">Downloads the log of the tournament and of each of its tables, and has the service check
      every draw, pairing, table and score again. <code>hoodwink verify</code> does the same without a service.</p>
    ${verdict === 'busy' ? working('The service is checking the tournament', room.job) : nothing}
    <div role="status">${verdict && verdict !== 'busy' ? told(room, verdict) : nothing}</div>`;
}

function told(room, { problem, valid, events, rounds, tables, standings, finding }) {
  if (problem) return failure(problem);
  if (!valid)
    return html`<p class="notice failed">It does not verify: ${finding.detail}</p>`;
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
  room.set({ verdict: 'busy', job: null });
  try {
    const told = (job) => room.set({ job });
    room.set({ verdict: await postLines('/v1/verify/tournament', await logs(room), told) });
  } catch (problem) {
    room.set({ verdict: { problem } });
  }
}

/** The log of the tournament and those of its tables, one after the other. */
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
    if (size > LARGEST)
      throw {
        detail: 'The logs are too large for one request. Download them, and use hoodwink verify.',
        faults: [],
      };
  }
  return parts.join('');
}
