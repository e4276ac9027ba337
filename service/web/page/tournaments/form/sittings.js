/** The sittings of a new tournament, with their rounds and times. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { field } from '../../kit/form.js';

export const idOf = (name) => `field-${name.replaceAll('.', '-')}`;

/**
 * @param {{rounds: string, starts_at: string}[]} sittings
 * @param {{isLastOpen: boolean, isArena: boolean, faults: object, change: (sittings: object[]) => void}} options `isLastOpen`:
 *   the number of rounds in the last one depends on the entrants; an arena has one sitting, as long as it lasts
 */
export function sittingsField(sittings, { isLastOpen, isArena, faults, change }) {
  const row = (sitting, index) => {
    const set = (changes) => change(sittings.map((one, at) => (at === index ? { ...one, ...changes } : one)));
    const part = (name, about) => {
      const place = `sittings.${index}.${name}`;
      const input = (value) => set({ [name]: value });
      return field({ ...about, id: idOf(place), fault: faults[place], value: sitting[name], input });
    };
    const remove = () => change(sittings.filter((_, other) => other !== index));
    return html`<li class="sitting">
      ${isLastOpen && index === sittings.length - 1
        ? html`<p class="small">${isArena ? 'Until the bell.' : 'As many rounds as the entrants need.'}</p>`
        : part('rounds', { label: 'Rounds', kind: 'number', min: 1 })}
      ${part('starts_at', { label: 'Begins (optional)', kind: 'datetime-local' })}
      ${sittings.length > 1
        ? html`<button type="button" @click=${remove}>Remove<span class="unseen"> sitting
          ${index + 1}</span></button>`
        : nothing}
    </li>`;
  };
  const add = () => change([...sittings, { rounds: '3', starts_at: '' }]);
  return html`<fieldset class="sittings"><legend>${isArena ? 'Time' : 'Sittings'}</legend>
    <p class="small">${isArena ? 'Leave it empty to begin when you start the tournament.'
    : 'A sitting is a meeting for one or more rounds.'}</p>
    <ol>${sittings.map(row)}</ol>
    ${faults.sittings ? html`<p class="fault" id=${idOf('sittings')}-fault>${faults.sittings}</p>` : nothing}
    ${isArena ? nothing : html`<button type="button" @click=${add}>Add a sitting</button>`}
  </fieldset>`;
}
