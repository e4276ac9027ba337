/** Checks a log file in the browser, and shows it as a replay if the user sends it to the service. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { go } from '../kit/router.js';
import { postLines, working } from '../kit/jobs.js';
import { join } from '../kit/joining.js';
import { failure, setTitle } from '../kit/words.js';
import './imported.js';
import './verification.js';

class ReplayFile extends Room {
  enter() {
    setTitle('Open a log');
    // Accept drops anywhere: a file dropped outside the box would replace the page.
    this.listen(window, 'dragover', (event) => { event.preventDefault(); this.set({ isOver: true }); });
    this.listen(window, 'dragleave', () => this.set({ isOver: false }));
    this.listen(window, 'drop', (event) => {
      event.preventDefault();
      this.set({ isOver: false });
      this.#open(event.dataTransfer.files[0]);
    });
  }

  async #open(file) {
    if (!file) return;
    this.set({ file, text: null, report: null, problem: null, refusal: null, what: null });
    try {
      // Without `fatal`, invalid bytes are silently replaced, and the check would cover a different file.
      const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      const text = strict.decode(await file.arrayBuffer());
      this.set({ text, what: { log: async () => text, isLocal: true } });
    } catch {
      const detail = `${file.name} cannot be read as text, so it is not the log of a table.`;
      this.set({ problem: { detail } });
    }
  }

  async #show() {
    this.set({ isSending: true, refusal: null, job: null });
    try {
      await join();
      const { id } = await postLines('/v1/imports', this.text, (job) => this.set({ job }));
      go(`/imports/${id}`);
    } catch (refusal) {
      this.set({ refusal, isSending: false });
    }
  }

  template() {
    const { file, what, problem, report, refusal } = this;
    return html`
      <div class="page">
        <h1>Open a log</h1>
        <p>Every finished table has a log of its events, cards and seeds. Open one to check it and
          replay the table. The check runs in this browser; the file stays here unless you send it.</p>
        <div class="drop ${this.isOver ? 'over' : ''}">
          <label>Choose a file, or drop it on this page<br>
            <input type="file" accept=".ndjson,.jsonl,.json,.txt"
              @change=${({ target }) => this.#open(target.files[0])}></label>
        </div>
        ${file ? html`<h2>${file.name}</h2>` : nothing}
        ${problem ? failure(problem) : nothing}
        ${report?.passed ? html`
          <p>To show the table, this service receives the file and checks it, too. Anybody with the link can
            then see it.</p>
          <p><button class="main" ?disabled=${this.isSending} @click=${() => this.#show()}>Show it here</button></p>
          ${this.isSending ? working('The service is checking the log', this.job) : nothing}`
    : nothing}
        ${refusal ? failure(refusal) : nothing}
        ${what ? html`<hw-verification .of=${what}
          @verified=${({ detail }) => this.set({ report: detail })}></hw-verification>` : nothing}
        <hw-my-imports></hw-my-imports>
      </div>`;
  }
}

customElements.define('hw-replay-file', ReplayFile);
