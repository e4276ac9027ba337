/** Form fields with label, help and error. */
import { live } from '../../vendor/lit-html/directives/live.js';
import { html, nothing } from '../../vendor/lit-html/lit-html.js';

/**
 * @param {import('./settings.js').Setting} setting
 * @param {{value: unknown, fault?: string, input: (value: unknown) => void}} state
 */
export function field(setting, state) {
  const { name, label, help, kind, choices } = setting;
  const id = idOf(name);
  const meaning = kind === 'choice' ? choices[state.value]?.[1] : '';
  const about =
    [help || meaning ? `${id}-help` : '', state.fault ? `${id}-fault` : ''].filter(Boolean).join(' ') ||
    nothing;
  const below = html`
    ${help || meaning ? html`<p class="small" id="${id}-help">${help}${help && meaning ? ' '
      : ''}${meaning}</p>` : nothing}
    ${fault(name, state.fault)}`;
  if (kind === 'check') {
    return html`<div class="field check ${state.fault ? 'faulty' : ''}" data-field=${name}>
      <input type="checkbox" id=${id} .checked=${live(Boolean(state.value))} aria-describedby=${about}
        @change=${({ target }) => state.input(target.checked)}><label
          for=${id}>${label}</label>${below}</div>`;
  }
  return html`<div class="field ${state.fault ? 'faulty' : ''}" data-field=${name}>
    <label for=${id}>${label}</label>${control(setting, state, id, about)}${below}</div>`;
}

export const idOf = (name) => `field-${name.replaceAll('.', '-')}`;

export const fault = (name, text) =>
  text ? html`<p class="fault" id="${idOf(name)}-fault">${text}</p>` : nothing;

function control({ kind, choices, min, max, unit, step }, { value, fault: text, input }, id, about) {
  const invalid = text ? 'true' : nothing;
  const heard = ({ target }) => input(target.value);
  switch (kind) {
    case 'choice':
      return html`<select id=${id} aria-describedby=${about} aria-invalid=${invalid} @change=${heard}>
        ${Object.entries(choices).map(([key, [title]]) => html`<option value=${key}
          .selected=${live(key === `${value}`)}>${title}</option>`)}</select>`;
    case 'lines':
      return html`<textarea id=${id} rows="3" aria-describedby=${about} aria-invalid=${invalid}
        .value=${live(value)} @input=${heard}></textarea>`;
    case 'number':
      return html`<span class="with-unit"><input type="number" inputmode="decimal" id=${id}
        min=${min ?? nothing} max=${max ?? nothing}
        step=${step ?? (unit ? 'any' : 1)} aria-describedby=${about} aria-invalid=${invalid}
          .value=${live(`${value}`)} @input=${heard}>${
          unit ? html` ${unit}` : nothing
        }</span>`;
    default:
      return html`<input type="text" id=${id} maxlength="80" autocomplete="off" aria-describedby=${about}
        aria-invalid=${invalid}
        .value=${live(value)} @input=${heard}>`;
  }
}
