/**
 * Markdown as rules and descriptions use it: headings, paragraphs, lists, tables, code, bold, italics and links.
 *
 * It makes lit-html templates and never markup from a string, so a text can contain nothing but text. Each heading
 * has an id made of its words, and each paragraph, list item and table row below it the same id with a number, so
 * that each rule has an address.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { inline, plain } from './inline.js';

const FENCE = /^ *```/;
const ITEM = /^(?:- |(\d+)\. )/;
const RULED = /^\|[\s:|-]+\|$/;
const MANY_LETTERS = 40;

const slug = (text) => plain(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');

const cells = (row) => row.replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim());

function itemsOf(lines) {
  const items = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

function kindOf(line) {
  if (/^#+ /.test(line)) return 'heading';
  if (ITEM.test(line)) return 'list';
  return line.startsWith('|') ? 'table' : 'text';
}

/** Lines that belong together. A blank one ends each group but code, and so does a line of another kind. */
function groups(text) {
  const found = [];
  let open = null;
  for (const line of text.split('\n')) {
    if (FENCE.test(line) || open?.kind === 'code') {
      if (!FENCE.test(line)) open.lines.push(line);
      else if (open?.kind === 'code') open = null;
      else found.push(open = { kind: 'code', lines: [] });
      continue;
    }
    const kind = kindOf(line);
    const goesOn = kind !== 'heading' && (kind === open?.kind || (kind === 'text' && open?.kind === 'list'));
    if (!line.trim()) open = null;
    else if (goesOn) open.lines.push(line);
    else found.push(open = { kind, lines: [line] });
  }
  return found;
}

/**
 * Reads a text into its parts.
 *
 * @param {string} text
 * @returns {Part[]}
 * @typedef {{kind: 'heading', id: string, level: number, text: string}
 *   | {kind: 'text', id: string, text: string}
 *   | {kind: 'code', text: string}
 *   | {kind: 'list', start: number|null, items: {id: string, text: string}[]}
 *   | {kind: 'table', head: string[], rows: {id: string, cells: string[]}[]}} Part
 */
export function parse(text) {
  const taken = new Map();
  let section = 'text';
  let rules = 0;
  const next = () => `${section}-${rules += 1}`;

  return groups(text).map(({ kind, lines }) => {
    if (kind === 'heading') {
      const [, marks, title] = /^(#+) (.*)$/.exec(lines[0]);
      const words = slug(title) || 'part';
      const times = (taken.get(words) ?? 0) + 1;
      taken.set(words, times);
      section = times === 1 ? words : `${words}.${times}`;
      rules = 0;
      return { kind, id: section, level: marks.length, text: title.trim() };
    }
    if (kind === 'list') {
      const [, start] = ITEM.exec(lines[0]);
      const items = itemsOf(lines).map((item) => ({ id: next(), text: item }));
      return { kind, start: start ? Number(start) : null, items };
    }
    if (kind === 'table' && RULED.test(lines[1] ?? '')) {
      const rows = lines.slice(2).map((row) => ({ id: next(), cells: cells(row) }));
      return { kind, head: cells(lines[0]), rows };
    }
    if (kind === 'code') return { kind, text: lines.join('\n') };
    return { kind: 'text', id: next(), text: lines.map((line) => line.trim()).join(' ') };
  });
}

function heading({ id, level, text }, { prefix, below, link, line }) {
  const content = html`${line(text)}${link(id, plain(text))}`;
  const name = prefix + id;
  switch (level + below) {
    case 1: return html`<h1 id=${name}>${content}</h1>`;
    case 2: return html`<h2 id=${name}>${content}</h2>`;
    case 3: return html`<h3 id=${name}>${content}</h3>`;
    default: return html`<h4 id=${name}>${content}</h4>`;
  }
}

function list({ start, items }, { prefix, link, part, line }) {
  const item = ({ id, text }) => html`<li id=${prefix + id}>${line(text)}${link(id, part(id))}</li>`;
  const shown = items.map(item);
  return start === null ? html`<ul>${shown}</ul>` : html`<ol start=${start}>${shown}</ol>`;
}

// A cell of many words would be a narrow column on a phone; there such a table becomes one part a row.
function table({ head, rows }, { prefix, link, part, line }) {
  const isWordy = rows.some(({ cells: found }) => found.some((text) => text.length > MANY_LETTERS));
  const cell = (text, column, id, isLast) => html`
    <td data-head=${plain(head[column] ?? '')}>${line(text)}${isLast ? link(id, part(id)) : nothing}</td>`;
  const row = ({ id, cells: found }) => html`
    <tr id=${prefix + id}>${found.map((text, column) => (
      cell(text, column, id, column === found.length - 1)))}</tr>`;
  return html`
    <div class="scroll" tabindex="0" role="group" aria-label="Table">
      <table class=${isWordy ? 'wordy' : nothing}>
        <thead><tr>${head.map((text) => html`<th scope="col">${line(text)}</th>`)}</tr></thead>
        <tbody>${rows.map(row)}</tbody>
      </table>
    </div>`;
}

/**
 * Draws parts.
 *
 * @param {Part[]} parts as `parse` returns them
 * @param {{prefix?: string, below?: number, link?: (id: string, name: string) => unknown,
 *   anchor?: (link: string, label: unknown) => unknown}} options `prefix` begins each id, for a text next to others;
 *   `below` is how many levels its headings are lower; `link` makes a rule's own link; `anchor` draws the text's links
 */
export function draw(parts, { prefix = '', below = 0, link = () => nothing, anchor } = {}) {
  const line = (text) => inline(text, undefined, anchor);
  const headings = parts.filter(({ kind }) => kind === 'heading');
  const titles = new Map(headings.map(({ id, text }) => [id, plain(text)]));
  const part = (id) => {
    const [, section, number] = /^(.*)-(\d+)$/.exec(id);
    return `${titles.get(section) ?? 'the text'}, ${number}`;
  };
  const drawing = { prefix, below, link, part, line };
  return parts.map((each) => {
    if (each.kind === 'heading') return heading(each, drawing);
    if (each.kind === 'list') return list(each, drawing);
    if (each.kind === 'table') return table(each, drawing);
    if (each.kind === 'code') return html`<pre class="scroll" tabindex="0" role="group" aria-label="Code"><code>${each.text}</code></pre>`;
    return html`<p id=${prefix + each.id}>${line(each.text)}${link(each.id, part(each.id))}</p>`;
  });
}
