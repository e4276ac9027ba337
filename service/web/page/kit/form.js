/** Forms: fields with label, help and fault, fields for what the service declares, and forms that send commands. */
import { html, noChange, nothing } from '../vendor/lit-html/lit-html.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { humanised, inWords } from './words.js';

/** The time zone of this machine, in which the page shows and takes times: 'Europe/Berlin'. */
const timeZone = () => new Intl.DateTimeFormat('en').resolvedOptions().timeZone.replaceAll('_', ' ');

/**
 * A labelled control.
 *
 * A control with `value` always shows that value; it calls `input` at each keystroke and `change` after the edit. A
 * control without one starts with `initial`, and the form reads it by its `name`.
 *
 * @typedef {{id: string, label: unknown, kind?: 'check'|'choice'|'lines'|'text'|'number'|'password'|'datetime-local',
 *   help?: unknown, fault?: string, isFaulty?: boolean, addon?: unknown, name?: string, value?: unknown,
 *   initial?: string, choices?: [unknown, unknown][], input?: (value: unknown) => void,
 *   change?: (value: unknown) => void}} Field `addon` is shown on the control's line; other members are attributes
 *   of the control
 * @param {Field} about
 */
export function field({ id, label, kind = 'text', help: given, fault, isFaulty = Boolean(fault), addon, ...about }) {
  const help = kind === 'datetime-local' ? html`${given} In the time zone ${timeZone()}.` : given;
  const described = [fault && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ');
  const control = (CONTROLS[kind] ?? input)({
    id, kind, described: described || nothing, invalid: isFaulty ? 'true' : nothing, ...about });
  const isCheck = kind === 'check';
  return html`
    <div class="field ${isCheck ? 'check' : ''}">
      ${isCheck ? control : nothing}
      <label for=${id}>${label}</label>
      ${isCheck ? nothing : addon ? html`<span class="with-addon">${control} ${addon}</span>` : control}
      ${fault ? html`<p class="small fault" id="${id}-fault">${fault}</p>` : nothing}
      ${help ? html`<p class="small" id="${id}-help">${help}</p>` : nothing}
    </div>`;
}

const CONTROLS = {
  check: ({ id, described, value, change }) => html`
    <input type="checkbox" id=${id} aria-describedby=${described} .checked=${live(value)}
      @change=${({ target }) => change(target.checked)}>`,

  // Option elements hold only strings, so a value is looked up by its index and keeps its type.
  choice: ({ id, name, described, invalid, choices, value, initial, change }) => html`
    <select id=${id} name=${name ?? nothing} aria-describedby=${described} aria-invalid=${invalid}
      @change=${change && (({ target }) => change(choices[target.selectedIndex][0]))}>
      ${choices.map(([each, words]) => html`<option value=${each} ?selected=${each === initial}
        .selected=${value === undefined ? noChange : live(each === value)}>${words}</option>`)}</select>`,

  lines: ({ id, described, invalid, value, input, rows = 3, maxlength }) => html`
    <textarea id=${id} rows=${rows} maxlength=${maxlength ?? nothing} aria-describedby=${described} aria-invalid=${invalid} .value=${live(value)}
      @input=${({ target }) => input(target.value)}></textarea>`,
};

function input({ id, kind, name, described, invalid, value, initial, input: hear, change, ...attributes }) {
  const { required = false, maxlength, min, max, step, pattern, title, autocomplete = 'off' } = attributes;
  return html`
    <input id=${id} type=${kind} name=${name ?? nothing} aria-describedby=${described} aria-invalid=${invalid}
      ?required=${required} maxlength=${maxlength ?? nothing} min=${min ?? nothing} max=${max ?? nothing}
      step=${step ?? nothing} pattern=${pattern ?? nothing} title=${title ?? nothing}
      inputmode=${kind === 'number' ? 'decimal' : nothing} autocomplete=${autocomplete} spellcheck="false"
      .defaultValue=${initial ?? noChange} .value=${value === undefined ? noChange : live(`${value ?? ''}`)}
      @input=${hear && (({ target }) => hear(target.value))}
      @change=${change && (({ target }) => change(target.value))}>`;
}

/**
 * The parts of a field that follow from an option or setting as the service declares it.
 *
 * @param {{name: string, default: unknown, meaning: string, form: object}} declared
 * @returns {Partial<Field>}
 */
export function declaredField({ name, default: usual, meaning, form }) {
  const label = humanised(name).replace(/ ms$/, ' (ms)');
  const help = meaning.replace(/[`*]/g, '');
  if (form.type === 'boolean') return { label, help, kind: 'check' };
  if (form.enum) return { label, help, kind: 'choice', choices: form.enum.map((each) => [each, inWords(each)]) };
  if (!isInteger(form)) return { label, help, maxlength: form.maxLength };
  const { minimum: min, maximum: max, multipleOf: step = 1 } = form;
  return { label, help, kind: 'number', min, max, step };
}

/** The value of a declared option or setting that was entered; undefined for an empty field, which means the default. */
export function enteredValue({ form }, entered) {
  if (entered === '') return undefined;
  return typeof entered === 'string' && isInteger(form) ? Number(entered) : entered;
}

const isInteger = ({ type }) => [type].flat().includes('integer');

/** A button for a command. It is never disabled while the command is sent, because it would lose the focus. */
export const button = (label, { isBusy = false, look, press } = {}) => html`
  <button type=${press ? 'button' : 'submit'} class=${look ?? nothing} aria-disabled=${isBusy ? 'true' : nothing}
    @click=${press && (() => !isBusy && press())}>${isBusy ? 'One moment …' : label}</button>`;

/**
 * A form that sends a command, with its button.
 *
 * @param {{name?: string, content?: unknown, line?: Field, label: unknown, look?: 'main'|'danger', isBusy?: boolean,
 *   below?: unknown, novalidate?: boolean, send: (values: object, form: HTMLFormElement) => unknown}} command `line` is its only field, with
 *   the button next to it; `send` gets the values of the fields by their names
 */
export function commandForm({ name, content, line, label, look, isBusy, below, novalidate = false, send }) {
  const submitButton = button(label, { isBusy, look });
  const submit = (event) => {
    event.preventDefault();
    if (!isBusy) send(Object.fromEntries(new FormData(event.target)), event.target);
  };
  return html`<form class="command" data-command=${name ?? nothing} ?novalidate=${novalidate} @submit=${submit}>
    ${line ? field({ ...line, addon: submitButton }) : html`${content} ${submitButton}`}${below}</form>`;
}
