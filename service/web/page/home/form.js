/** Fields for what can be chosen about a table: made from the forms that the service gives, and its pace. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { inline } from '../text/inline.js';
import { humanised, inWords } from '../kit/words.js';

/**
 * A field with its label, its meaning and what was wrong with its value.
 *
 * @param {{id: string, label: unknown, meaning: unknown, fault?: string, isFlag?: boolean}} about
 * @param {(described: string) => unknown} input draws the control; it gets the value for `aria-describedby`
 */
function field({ id, label, meaning, fault, isFlag }, input) {
  const control = input(fault ? `${id}-fault ${id}-meaning` : `${id}-meaning`);
  return html`
    <div class="field ${isFlag ? 'flag' : ''}">
      ${isFlag ? control : nothing}
      <label for=${id}>${label}</label>
      ${isFlag ? nothing : control}
      ${fault ? html`<p class="small fault" id="${id}-fault">${fault}</p>` : nothing}
      <p class="small" id="${id}-meaning">${meaning}</p>
    </div>`;
}

const flag = (about, shown, choose) => field({ ...about, isFlag: true }, (described) => html`
  <input type="checkbox" id=${about.id} aria-describedby=${described} .checked=${live(shown)}
    @change=${(event) => choose(event.target.checked)}>`);

const choice = (about, chosen, choices, choose) => field(about, (described) => html`
  <select id=${about.id} aria-describedby=${described} aria-invalid=${about.fault ? 'true' : nothing}
    @change=${(event) => choose(event.target.value)}>${choices.map(([value, text]) => html`
    <option value=${value} .selected=${live(value === chosen)}>${text}</option>`)}</select>`);

const number = (about, { minimum, maximum, multipleOf }, shown, choose) => field(about, (described) => html`
  <input type="number" inputmode="numeric" id=${about.id} aria-describedby=${described}
    aria-invalid=${about.fault ? 'true' : nothing}
    min=${minimum ?? nothing} max=${maximum ?? nothing} step=${multipleOf ?? 1} .value=${live(shown)}
    @change=${(event) => choose(event.target.value)}>`);

const words = (about, shown, choose) => field(about, (described) => html`
  <input id=${about.id} aria-describedby=${described} aria-invalid=${about.fault ? 'true' : nothing}
    .value=${live(shown)} @change=${(event) => choose(event.target.value)}>`);

const types = ({ type }) => [type].flat();

/**
 * The field of an option.
 *
 * @param {{name: string, default: unknown, meaning: string, form: object}} option as the service describes it
 * @param {unknown} value chosen by the player; undefined for the default
 * @param {string|undefined} fault
 * @param {(value: unknown) => void} choose undefined for the default
 */
export function optionField(option, value, fault, choose) {
  const { name, default: usual, form } = option;
  const meaning = html`${inline(option.meaning)} ${limits(option)}`;
  const about = { id: `option-${name}`, label: humanised(name).replace(/ ms$/, ' (ms)'), fault, meaning };
  const shown = value === undefined ? usual : value;
  const set = (chosen) => choose(chosen === usual ? undefined : chosen);

  if (form.type === 'boolean') return flag(about, shown, set);
  if (form.enum) {
    const text = (each) => (each === usual ? `${inWords(each)} (usual)` : inWords(each));
    const choices = form.enum.map((each) => [JSON.stringify(each), text(each)]);
    return choice(about, JSON.stringify(shown), choices, (chosen) => set(JSON.parse(chosen)));
  }
  // An empty field is the default: where it is null, the game chooses.
  const isNumber = types(form).includes('integer');
  const setText = (text) => set(text === '' ? usual : isNumber ? Number(text) : text);
  const text = String(shown ?? '');
  return isNumber ? number(about, form, text, setText) : words(about, text, setText);
}

function limits({ default: usual, form }) {
  const { minimum, maximum, multipleOf } = form;
  if (minimum === undefined || maximum === undefined) return '';
  const steps = multipleOf > 1 ? ` in steps of ${multipleOf}` : '';
  const otherwise = usual === null ? 'empty, the game chooses' : `usually ${inWords(usual)}`;
  return `(${inWords(minimum)} to ${inWords(maximum)}${steps}; ${otherwise}.)`;
}

const seconds = (value, text = `${value} seconds`) => [String(value * 1000), text];

/** The settings of a table besides the options of its game, as fields of `POST /v1/tables`. */
const SETTINGS = [
  { name: 'turn_seconds',
    label: 'Turn clock',
    meaning: 'Usually two minutes if two or more people play. When it runs out, a move is made.',
    choices: [['0', 'none'], ['15', '15 seconds'], ['30', '30 seconds'], ['60', '1 minute'],
      ['120', '2 minutes'], ['600', '10 minutes'], ['86400', '1 day'], ['604800', '7 days']] },
  { name: 'bot_delay',
    label: 'Bots wait',
    meaning: 'Usually about a second before a turn, so that people can follow.',
    choices: [['0', 'not at all'], ['400', 'less than half a second'], seconds(2), seconds(4)] },
  { name: 'round_pause',
    label: 'Pause after a round',
    meaning: 'Usually 8 seconds. It is over sooner if everybody is ready.',
    choices: [['0', 'none'], seconds(3), seconds(20), seconds(60, '1 minute')] },
  { name: 'watch',
    label: 'Who may watch',
    meaning: 'Usually everyone; at a table for friends, those with an invitation. Also after the end.',
    choices: [['invited', 'those with an invitation'], ['nobody', 'nobody']] },
  { name: 'rated',
    label: 'Ratings',
    meaning: 'Usually the result counts if the table is open to everybody and everyone may watch.',
    choices: [['false', 'the result does not count']] },
];

const asValue = (text) => (/^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text);

/**
 * The fields of the settings.
 *
 * @param {object} chosen those that were changed
 * @param {Record<string, string>} faults
 * @param {(name: string, value: unknown) => void} choose undefined for what is usual
 */
export const settingFields = (chosen, faults, choose) => SETTINGS.map(({ name, label, meaning, choices }) => {
  const about = { id: `setting-${name}`, label, meaning, fault: faults[name] };
  return choice(about, String(chosen[name] ?? ''), [['', 'usual'], ...choices], (text) => (
    choose(name, text === '' ? undefined : asValue(text))));
});

/** Which bots take the other seats; nothing where there is only one kind. */
export function policyField(policies, chosen, choose) {
  if (policies.length < 2) return nothing;
  const meaning = policies.find(({ name }) => name === chosen)?.meaning ?? '';
  const choices = policies.map(({ name }) => [name, humanised(name)]);
  return choice({ id: 'policy', label: 'Bots', meaning }, chosen, choices, choose);
}
