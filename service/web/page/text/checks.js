/** The checks of a report of `proof`, as templates. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';

export const SIGNS = { true: '✓', false: '✗', null: '–' };
const OUTCOMES = { true: 'passed', false: 'failed', null: 'nothing to check' };

export const checkList = ({ checks, notChecked }) => html`
  <ul class="checks">${checks.map(({ id, name, passed, explanation, details }) => html`
    <li class=${OUTCOMES[passed].split(' ')[0]} data-check=${id}>
      <span class="sign" aria-hidden="true">${SIGNS[passed]}</span>
      <div><b>${name}</b><span class="unseen">, ${OUTCOMES[passed]}:</span> ${explanation}
        ${details.length ? html`<details ?open=${passed === false}>
          <summary>${details.length} ${details.length === 1 ? 'finding' : 'findings'}</summary>
          <ul>${details.map(detail)}</ul></details>` : nothing}</div></li>`)}
  </ul>
  <p class="small">${coded(notChecked)}</p>`;

const detail = ({ passed, text, line, table }) => html`
  <li class=${OUTCOMES[passed].split(' ')[0]}>${passed === false ? html`<b>Wrong: </b>` : nothing}${text}${
    line ? html` <small>line ${line}${table ? ' of its log' : nothing}</small>` : nothing}</li>`;

/** Turns text in backticks into code. */
const coded = (text) => text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
