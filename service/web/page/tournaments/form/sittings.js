/** The sittings of a new tournament, with their rounds and times. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { fault, field, idOf } from './fields.js';

/**
 * @param {{rounds: string, starts_at: string}[]} sittings
 * @param {{isLastOpen: boolean, faults: object, change: (sittings: object[]) => void}} options `isLastOpen`:
 *   the number of rounds in the last one depends on the entrants
 */
export function sittingsField(sittings, { isLastOpen, faults, change }) {
  const row = (sitting, index) => {
    const set = (changes) => change(sittings.map((one, at) => (at === index ? { ...one, ...changes } : one)));
    const remove = () => change(sittings.filter((_, other) => other !== index));
    return html`<li class="sitting">
      ${isLastOpen && index === sittings.length - 1
        ? html`<p class="small">As many rounds as the entrants need.</p>`
        : rounds(index, sitting, faults, set)}
      ${begins(index, sitting, faults, set)}
      ${sittings.length > 1
        ? html`<button type="button" @click=${remove}>Remove<span class="unseen"> sitting
          ${index + 1}</span></button>`
        : nothing}
    </li>`;
  };
  const add = () => change([...sittings, { rounds: '3', starts_at: '' }]);
  return html`<fieldset class="sittings" data-field="sittings"><legend>Sittings</legend>
    <p class="small">A sitting is a meeting for one or more rounds.</p>
    <ol>${sittings.map(row)}</ol>
    ${fault('sittings', faults.sittings)}
    <button type="button" @click=${add}>Add a sitting</button>
  </fieldset>`;
}

function rounds(index, sitting, faults, set) {
  const name = `sittings.${index}.rounds`;
  const input = (value) => set({ rounds: value });
  return field({ name, label: 'Rounds', kind: 'number', min: 1 }, { value: sitting.rounds,
    fault: faults[name], input });
}

function begins(index, sitting, faults, set) {
  const name = `sittings.${index}.starts_at`;
  return html`<div class="field"><label for=${idOf(name)}>Begins (optional)</label>
    <input type="datetime-local" id=${idOf(name)} aria-invalid=${faults[name] ? 'true' : nothing}
      .value=${live(sitting.starts_at)} @input=${({ target }) => set({ starts_at: target.value })}>
    ${fault(name, faults[name])}</div>`;
}
