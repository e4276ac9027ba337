/** Asks for a name when a player first meets other people. */
import { confirm } from './dialog.js';
import { field } from './form.js';
import { MAX_NAME_LENGTH } from './words.js';

const ID = 'first-name';

/** Returns when the player has taken a name with `rename`, or keeps the generated one. */
export async function chooseName(generated, rename) {
  for (let name = generated, fault = ''; ;) {
    const answer = confirm({
      title: 'What should others call you?',
      text: 'You can change the name at any time in the settings.',
      fields: field({
        id: ID, label: 'Name', required: true, maxlength: MAX_NAME_LENGTH, autocomplete: 'nickname', initial: name, fault,
        input: (text) => { name = text; },
      }),
      yes: 'Use this name',
      no: `Stay ${generated}`,
      look: 'main',
    });
    document.getElementById(ID).select();
    if (!(await answer)) return;
    try {
      await rename(name);
      return;
    } catch (problem) {
      fault = problem.detail;
    }
  }
}
