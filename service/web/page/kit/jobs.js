/** Requests that the service may answer with a job, which is followed to its end. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Problem, api } from './api.js';

const PAUSE_MS = 500;

/** A job's progress. */
export const working = (what, job) => html`
  <progress aria-label=${what} max=${job?.total || nothing} value=${job?.total ? job.done : nothing}></progress>
  ${job?.state === 'queued' ? html`<span class="small">Waiting for its turn …</span>` : nothing}`;

/** Posts lines of JSON and returns the answer, however long that takes; `told` is called with each state of the job. */
export async function postLines(path, text, told) {
  return settle(api.post(path, text, { headers: { 'Content-Type': 'application/x-ndjson' } }), told);
}

/** Returns the answer to a request, or the result of the job that it started. */
export async function settle(request, told = () => {}) {
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
