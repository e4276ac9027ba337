/** The HTTP API as `/openapi.json` describes it. An operation is drawn only when it is opened: drawing all takes seconds. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import { api } from '../kit/api.js';
import { Room } from '../kit/element.js';
import { field } from '../kit/form.js';
import { count, failure, loading, setTitle } from '../kit/words.js';
import { inline } from '../text/inline.js';
import { draw, parse } from '../text/markdown.js';
import { resolved } from './description.js';
import { exampleOf, schemaOf, typeOf } from './schema.js';

class Docs extends Room {
  described = null;

  filter = '';

  opened = new Set();

  problem = null;

  enter() {
    setTitle('HTTP API');
    this.listen(window, 'hashchange', () => this.point());
    this.load();
  }

  async load() {
    this.set({ problem: null });
    try {
      this.set({ described: await api.get('/openapi.json') });
      queueMicrotask(() => this.point());
    } catch (problem) {
      this.set({ problem });
    }
  }

  /** Opens the operation that the address names, and shows it. */
  point() {
    const id = decodeURIComponent(location.hash.slice(1));
    const operation = id && this.querySelector(`#${CSS.escape(id)}`);
    if (!operation) return;
    operation.open = true;
    operation.scrollIntoView();
  }

  toggle({ target }) {
    if (target.open === this.opened.has(target.id)) return;
    this.opened[target.open ? 'add' : 'delete'](target.id);
    this.update();
  }

  template() {
    const { described, filter, problem } = this;
    if (problem) return html`<div class="page">${failure(problem, () => this.load())}</div>`;
    if (!described) return loading('Loading the description');
    const wanted = filter.toLowerCase().split(/\s+/);
    const all = operationsOf(described);
    const found = all.filter(({ text }) => wanted.every((word) => text.includes(word)));
    return html`
      <div class="page docs-room">
        <h1>HTTP API</h1>
        <p>Version ${described.info.version}. Start with the guide:
          <a href=${described.externalDocs.url}>${described.externalDocs.description}</a>.
          For code generators there is the description as <a href="/openapi.json">JSON</a> and <a
          href="/openapi.yaml">YAML</a>.</p>
        <details class="facts"><summary>About all operations</summary>
          <div>${draw(parse(described.info.description), { prefix: 'all-', below: 1 })}</div></details>
        ${field({
    id: 'docs-filter', label: 'Filter', kind: 'search', value: filter, autocomplete: 'off', spellcheck: 'false',
    help: 'Words in the method, path, name or summary.', input: (value) => this.set({ filter: value }),
  })}
        <p class="small" role="status">${count(found.length, 'operation')}</p>
        ${repeat(described.tags, ({ name }) => name, (tag) => this.tagged(tag, found.filter(({ of }) => of === tag.name)))}
      </div>`;
  }

  tagged({ name, description }, operations) {
    if (!operations.length) return nothing;
    return html`
      <section aria-labelledby="tag-${name}">
        <h2 id="tag-${name}">${name}</h2>
        <p class="small">${description}</p>
        ${repeat(operations, ({ id }) => id, ({ id, method, path, about }) => html`
          <details class="operation" id=${id} .open=${this.opened.has(id)} @toggle=${(event) => this.toggle(event)}>
            <summary><b class="method">${method}</b> <code>${path}</code> <span>${about.summary}</span></summary>
            ${this.opened.has(id) ? html`<div class="inside">${operationIn(this.described, about)}</div>` : nothing}
          </details>`)}
      </section>`;
  }
}

const operationsOf = ({ paths }) => Object.entries(paths).flatMap(([path, methods]) => (
  Object.entries(methods).map(([method, about]) => {
    const { operationId: id, summary, tags: [of] } = about;
    return { id, method: method.toUpperCase(), path, of, about, text: `${method} ${path} ${id} ${of} ${summary}`.toLowerCase() };
  })));

function operationIn(described, about) {
  const parameters = (about.parameters ?? []).map((part) => resolved(described, part));
  return html`
    <p class="small"><a href="#${about.operationId}">${about.operationId}</a> · ${whoMay(about.security ?? described.security)}</p>
    ${about.description ? html`<p>${inline(about.description)}</p>` : nothing}
    ${parameters.length ? html`<h3>Parameters</h3>${table(['name', 'in', 'form', 'meaning'], parameters.map((one) => [
    html`<code>${one.name}</code>${one.required ? html` <i>required</i>` : nothing}`, one.in, typeOf(described, one.schema), inline(one.description ?? '')]))}` : nothing}
    ${about.requestBody ? html`<h3>Body</h3>${contents(described, about.requestBody)}` : nothing}
    ${Object.entries(about.responses).map(([status, answer]) => answerIn(described, about, status, answer))}`;
}

function answerIn(described, about, status, reference) {
  const answer = resolved(described, reference);
  const codes = status === 'default' ? about['x-refusals'] ?? [] : [];
  const meanings = described.components.schemas.ErrorCode.anyOf;
  return html`
    <h3>${status === 'default' ? 'Refusals' : `Response ${status}`}</h3>
    ${contents(described, answer)}
    ${codes.length ? table(['code', 'status and meaning'], codes.map((code) => [
    html`<code>${code}</code>`, meanings.find((one) => one.const === code)?.description])) : nothing}
    ${Object.entries(answer.headers ?? {}).map(([name, header]) => html`
      <p class="small"><code>${name}</code>: ${inline(resolved(described, header).description)}</p>`)}`;
}

const contents = (described, { description, content = {} }) => html`
  ${description ? html`<p>${inline(description)}</p>` : nothing}
  ${Object.entries(content).map(([type, { schema, example }]) => html`
    <p class="small"><code>${type}</code></p>
    ${schemaOf(described, schema)}
    ${exampleOf(example ?? resolved(described, schema).examples?.[0])}`)}`;

function whoMay(security) {
  if (!security.length) return 'without a token';
  if (security.some((one) => !Object.keys(one).length)) return 'with or without a token';
  return 'administrator' in security[0] ? "with an administrator's token" : "with a player's token";
}

const table = (head, rows) => html`
  <div class="scroll" tabindex="0" role="group" aria-label=${head.join(', ')}>
    <table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;

customElements.define('hw-docs', Docs);
