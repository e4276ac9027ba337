/** What breaks the rules at a table whose options allow it. */
import { html } from '../vendor/lit-html/lit-html.js';
import { facesInWords } from '../cards/words.js';
import { confirm } from '../kit/dialog.js';
import { describe, seatOf } from './scene/scene.js';
import { nameAt } from './scene/names.js';

/** The offences that are possible now. They cost points, so none is one click away. */
export function offences(view, choices, send) {
  const game = describe(view.game);
  const words = ({ type, card, owner, slot }) => `${game.verbs?.[type] ?? type} ${
    card ? facesInWords([card]) : `place ${slot + 1} of ${owner === seatOf(view) ? 'your own pocket' : `${nameAt(view, owner)}’s pocket`}`}`;
  const commit = async (offence) => {
    const question = { title: `${words(offence)}?`, text: 'This breaks the rules and costs points.', yes: 'Break the rule', no: 'Play fair' };
    if (await confirm(question)) send(offence);
  };
  return html`
    <details class="offences"><summary>Break a rule …</summary>
      <p class="small">Offences that this table’s options allow. Each costs points.</p>
      ${choices.offences.map((offence) => html`<button class="danger" @click=${() => commit(offence)}>${words(offence)}</button>`)}
    </details>`;
}
