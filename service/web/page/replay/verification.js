/** Fairness checks of a table: by independent code in this browser, and by the service. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { postLines, working } from '../kit/jobs.js';
import { style } from '../kit/router.js';
import { keptFor } from '../kit/seeds.js';
import { count, failure } from '../kit/words.js';
import { verify } from '../proof/verify.js';
import { SIGNS, checkList } from '../text/checks.js';

const NDJSON = 'application/x-ndjson';
/** The service's limit per request. */
const MAX_BYTES = 16 * 1024 * 1024;
const SHOWN_OF_LINE = 300;

class Verification extends Room {
  text = null;

  /**
   * @param {{log: () => Promise<string>, view?: object, isLocal?: boolean}} what `isLocal`: the log is the
   *   user's own file, which leaves the browser only with their consent
   */
  set of(what) {
    if (what.log === this.what?.log) return;
    this.what = what;
    this.set({ text: null, report: null, verdict: null, problem: null, refusal: null, isSending: false });
    if (this.isConnected) this.#run();
  }

  enter() {
    if (this.what) this.#run();
    // This section opens far below the button, so move the focus here.
    if (!this.what?.isLocal) queueMicrotask(() => this.querySelector('h2')?.focus());
  }

  async #run() {
    const { log, view = {} } = this.what;
    try {
      const text = await log();
      const header = firstLine(text);
      // The parent log and the tournament are optional: they allow more checks, but may be unavailable.
      const [parent, tournament] = await Promise.all([
        parentLog(view), tournamentOf(view), optional(style('checks'))]);
      this.isShared = text.includes('"table.deal_shared"');
      const tournamentLog = this.isShared && tournament
        ? await optional(logOf(`/v1/tournaments/${tournament.id}`)) : null;
      this.set({ text, parent, problem: null });
      if (!this.what.isLocal) this.#send();
      const report = await verify(text, {
        kept: keptFor(header.table ?? '', view.tournament?.tournament),
        names: view.seats?.map(({ name }) => name) ?? [],
        tournament,
        tournamentLog,
      });
      this.set({ report });
      this.dispatchEvent(new CustomEvent('verified', { detail: report }));
    } catch (problem) {
      this.set({ problem });
    }
  }

  async #send() {
    const { text, parent } = this;
    const both = parent ? text + parent : text;
    const body = new Blob([both]).size <= MAX_BYTES ? both : text;
    if (new Blob([body]).size > MAX_BYTES) {
      const detail = 'The log is too large to check here. Run hoodwink verify instead.';
      this.set({ refusal: { detail } });
      return;
    }
    this.set({ isSending: true, refusal: null, job: null });
    try {
      this.set({ verdict: await postLines('/v1/verify', body, (job) => this.set({ job })) });
    } catch (refusal) {
      this.set({ refusal });
    }
    this.set({ isSending: false });
  }

  template() {
    const { report, problem } = this;
    return html`
      <section class="panel verification" aria-labelledby="verification-title">
        <h2 id="verification-title" tabindex="-1">Was it fair?</h2>
        ${problem ? failure(problem, () => this.#run()) : html`
          <div role="status" class="verdict-line">${this.#verdict()}</div>
          ${this.#published()}
          <h3>Checked in this browser</h3>
          <p class="small">By code independent of the service, using the log and the seeds this browser
            kept.</p>
          ${report ? checkList(report) : html`<progress aria-label="Checking in this browser"></progress>`}
          <h3>Checked by the service</h3>
          ${this.#byService()}`}
      </section>`;
  }

  #verdict() {
    const { report, verdict, text } = this;
    if (text === null) return html`<p>Loading the log …</p>`;
    if (!report) return html`<p>Checking ${count(text.split('\n').length - 2, 'event')} …</p>`;
    if (report.passed && verdict && !verdict.valid) {
      return html`<p class="verdict bad">Seals and shuffles are correct, but the service found a
        problem: ${sentence(verdict.finding.detail)}</p>`;
    }
    if (report.passed) {
      return html`<p class="verdict good">Nothing was changed, and every card was dealt correctly.
        ${verdict ? 'Every action and every score follows from the rules.' : nothing}</p>`;
    }
    const { line, text: found } = report.fault;
    return html`
      <p class="verdict bad">This log failed the check${line ? ` at line ${line}` : ''}: ${found}
        ${verdict?.valid ? 'The service found no problem. Ask somebody else to check the file, too.' : nothing}</p>
      ${line ? html`<p><code class="line" data-line=${line}>${excerpt(text, line)}</code></p>` : nothing}`;
  }

  /** The published commitments and seeds. */
  #published() {
    const { commitment: fingerprint, server_seed: secret } = this.report?.opened ?? {};
    const { seats = [], host_seed: hostSeed, host_seed_commitment: hostCommitment } = this.what.view ?? {};
    const committed = seats.filter(({ seed_commitment: commitment }) => commitment);
    if (!fingerprint) return nothing;
    return html`
      <p>Before anybody sat down the service published a fingerprint of its secret. ${this.isShared
        ? `The secret seals what happened at this table; the cards follow from the tournament's secret and the seeds of
          all entrants.`
        : 'With the seeds of the players the secret decides every shuffle; it was revealed at the end.'}</p>
      <dl class="facts">
        <dt>Fingerprint before</dt><dd><code class="commitment">${fingerprint}</code></dd>
        <dt>Secret at the end</dt><dd><code class="secret">${secret}</code></dd>
        ${hostCommitment ? pair("The host's", hostCommitment, hostSeed) : nothing}
        ${committed.map(({ name, seed, seed_commitment: commitment }) => pair(`${name}'s`, commitment, seed))}
      </dl>`;
  }

  #byService() {
    const { verdict, refusal, isSending, text } = this;
    if (refusal) return failure(refusal, () => this.#send());
    if (verdict?.valid) {
      const { events, rounds, generations, voided } = verdict;
      return html`<p class="by-service">${SIGNS.true} ${count(events, 'event')} of ${count(rounds, 'round')}:
        each seal, shuffle, action and score is as the rules say.
        ${generations > 1 ? 'The log of the table that it goes on from was compared, too.' : nothing}</p>
        ${voided ? html`<p>${voided.admin} took the result back: ${voided.reason}</p>` : nothing}`;
    }
    if (verdict) {
      const { detail: found, line } = verdict.finding;
      return html`<p class="by-service bad">${SIGNS.false} ${line ? `Line ${line}: ` : ''}${
        sentence(found)}</p>`;
    }
    if (isSending || !this.what.isLocal) {
      return working('The service is checking', this.job);
    }
    return html`<p>So far the file has not left this browser.</p>
      <button ?disabled=${!text} @click=${() => this.#send()}>Send it to the service to be checked</button>`;
  }
}

const pair = (whose, commitment, seed) => html`
  <dt>${whose} fingerprint</dt><dd><code>${commitment}</code></dd>
  <dt>${whose} seed</dt><dd><code>${seed ?? 'not revealed'}</code></dd>`;

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function excerpt(text, number) {
  const line = text.split('\n')[number - 1] ?? '';
  return line.length > SHOWN_OF_LINE ? `${line.slice(0, SHOWN_OF_LINE)} …` : line;
}

function firstLine(text) {
  try {
    return Object(JSON.parse(text.slice(0, text.indexOf('\n'))));
  } catch {
    return {};
  }
}

const optional = (asked) => asked.catch(() => null);

const logOf = (path) => api.get(`${path}/log`, { as: 'text', headers: { Accept: NDJSON } });

const parentLog = ({ parent }) => (parent ? optional(logOf(`/v1/tables/${parent.table}`)) : null);

async function tournamentOf({ tournament }) {
  const answer = tournament && await optional(api.get(`/v1/tournaments/${tournament.tournament}`));
  return answer?.tournament.server_seed ? answer.tournament : null;
}

customElements.define('hw-verification', Verification);
