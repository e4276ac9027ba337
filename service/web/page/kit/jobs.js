/** Requests whose work may be a job of the service, which is followed to its end. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Problem, api } from './api.js';

const PAUSE_MS = 500;

/** How far the service is with a job; before that is known, only that it works. */
export const working = (what, job) => html`
  <progress aria-label=${what} max=${job?.total || nothing} value=${job?.total ? job.done : nothing}></progress>
  ${job?.state === 'queued' ? html`<span class="small">Waiting until the service has time …</span>` : nothing}`;

/** Posts lines of JSON and returns the answer, however long that takes; `told` is called with each state of the job. */
export async function postLines(path, text, told) {
  return settled(api.post(path, text, { headers: { 'Content-Type': 'application/x-ndjson' } }), told);
}

/** Returns the answer to a request; where it is a job, what the job has led to. */
export async function settled(request, told = () => {}) {
  let job = await request;
  if (!('result' in job && 'problem' in job)) return job;
  while (job.state === 'queued' || job.state === 'running') {
    told(job);
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
    job = await api.get(`/v1/jobs/${job.id}`);
  }
  if (job.state === 'failed') throw new Problem(job.problem.status, job.problem);
  return job.result;
}
