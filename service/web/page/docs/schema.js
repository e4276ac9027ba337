/** Schemas: a line for each field. A named schema within another one is drawn when it is opened. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { Room } from '../kit/element.js';
import { inline } from '../text/inline.js';
import { nameOf, resolved } from './description.js';

const LONGEST_LINE = 100;

/** A schema, closed if it has a name and more than a line to say. */
class Schema extends Room {
  described = null;

  schema = null;

  isOpen = false;

  template() {
    return html`
      <details @toggle=${({ target }) => { if (target.open !== this.isOpen) this.set({ isOpen: target.open }); }}>
        <summary>${nameOf(this.schema) ?? 'fields'}</summary>
        ${this.isOpen ? insideOf(this.described, this.schema) : nothing}
      </details>`;
  }
}

/** What a value looks like: in words, or as a schema to open. */
export function typeOf(described, schema = {}) {
  const found = resolved(described, schema);
  const { items, minItems, maxItems } = found;
  if ('const' in found) return html`<code>${JSON.stringify(found.const)}</code>`;
  if (found.enum) return joined(found.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if (found.properties || (schema.$ref && alternatives(found))) return html`<hw-schema .described=${described} .schema=${schema}></hw-schema>`;
  if (alternatives(found)) return joined(alternatives(found).map((one) => typeOf(described, one)));
  if (items) return html`list${bounds(minItems, maxItems)} of ${typeOf(described, items)}`;
  return [[found.type ?? 'anything'].flat().join(' or '), limits(found)];
}

export const schemaOf = (described, schema) => (schema ? html`<div class="schema">${typeOf(described, schema)}</div>` : nothing);

/** An example, as text or as JSON that is broken into lines where it is long. */
export function exampleOf(value) {
  if (value === undefined) return nothing;
  const text = typeof value === 'string' ? value : laidOut(value);
  return html`<pre tabindex="0" role="group" aria-label="Example"><code>${text}</code></pre>`;
}

function insideOf(described, schema) {
  const { description, properties, required = [], additionalProperties, ...found } = resolved(described, schema);
  return html`
    ${description ? html`<p class="small">${inline(description)}</p>` : nothing}
    ${properties ? html`<ul class="fields">${Object.entries(properties).map(([name, field]) => html`
      <li><code>${name}</code>${required.includes(name) ? nothing : html` <i>optional</i>`}: ${typeOf(described, field)}
        ${field.description ? html`<span class="small">${inline(field.description)}</span>` : nothing}</li>`)}</ul>`
    : html`<ul class="fields">${alternatives(found).map((one) => html`<li>${typeOf(described, one)}
        ${one.description ? html`<span class="small">${inline(one.description)}</span>` : nothing}</li>`)}</ul>`}`;
}

const alternatives = ({ oneOf, anyOf }) => oneOf ?? anyOf;

const joined = (parts) => parts.map((part, at) => [at ? ' or ' : nothing, part]);

const bounds = (least, most) => {
  if (least === undefined && most === undefined) return nothing;
  if (least === most) return ` of ${most}`;
  return most === undefined ? ` of at least ${least}` : ` of ${least ?? 0} to ${most}`;
};

const limits = ({ minimum, maximum, minLength, maxLength, pattern }) => [
  minimum !== undefined || maximum !== undefined ? ` from ${minimum} to ${maximum}` : nothing,
  maxLength === undefined ? nothing : ` of ${minLength ?? 0} to ${maxLength} characters`,
  pattern ? html` like <code>${pattern}</code>` : nothing,
];

function laidOut(value, indent = '') {
  const whole = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || whole.length + indent.length <= LONGEST_LINE) return whole;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([name, part]) => (
    `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${laidOut(part, inner)}`));
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

customElements.define('hw-schema', Schema);
