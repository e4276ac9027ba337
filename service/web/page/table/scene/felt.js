/** Draws the table: every zone with its cards, everybody's seat around the centre. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { repeat } from '../../vendor/lit-html/directives/repeat.js';
import { card, suitMark } from '../../cards/card.js';
import { compareFaces } from '../../cards/faces.js';
import { facesInWords } from '../../cards/words.js';
import { signed } from '../../kit/words.js';
import { nameOf, yourSeat } from './names.js';
import { sceneOf, seatOf } from './scene.js';
import '../clock.js';

/** How many cards of a pile are drawn; those below are covered anyway. */
const PILE_SHOWS = 4;
/** How many cards of the near seat lie in one line at most. */
const MAX_IN_LINE = 13;

/**
 * @param {object} table the TableView; with `you` if the person who looks sits elsewhere than its viewer
 * @param {{scene?: import('./scene.js').Scene, choices?: import('../choices.js').Choices|null, onPick?: (place: string) => void,
 *   onPlay?: (place: string) => void, prompt?: unknown, outcome?: unknown}} [how] `choices` makes the cards of the
 *   player buttons; `prompt` is drawn between the centre and the player's own cards, `outcome` over the centre
 */
export function felt(table, {
  scene = sceneOf(table), choices = null, onPick, onPlay, prompt = nothing, outcome = nothing,
} = {}) {
  const near = seatOf(table) ?? 0;
  // Clockwise from the left of the near seat, as one would sit.
  const around = table.seats.map((_, step) => (near + step) % table.seats.length).slice(1);
  const draw = (zone) => drawZone(zone, { table, choices, onPick, onPlay });
  const panel = (seat) => seatPanel(table, scene, seat, { draw, choices });
  return html`
    <div class="felt" data-others=${around.length}>
      <div class="others">${repeat(around, (seat) => seat, panel)}</div>
      <div class="middle">
        <div class="centre">
          ${scene.facts.length ? html`<dl class="table-facts">${scene.facts.map(([name, value]) => html`
            <div><dt>${name}</dt><dd>${value?.suit ? html`${suitMark(value.suit)} ${value.text}` : value}</dd></div>`)}</dl>` : nothing}
          ${drawZones(scene.centre, draw)}
        </div>
        ${prompt}
        ${outcome}
      </div>
      <div class="near">${panel(near)}</div>
    </div>`;
}

const drawZones = (zones, draw) => html`
  <div class="zones" .style=${`--rooms: ${zones.reduce((sum, { room }) => sum + room, 0)}`}>${repeat(zones, ({ id }) => id, draw)}</div>`;

function seatPanel(table, scene, seat, { draw, choices }) {
  const { name, policy, resigned, away_since: away, owes, may_act: may, deadline, bot_kept: kept } = table.seats[seat];
  const { dealer, leader, scores } = table.view;
  const isNear = (seatOf(table) ?? 0) === seat;
  // The view names everybody who might act out of turn; who really can, only the legal actions say.
  const mayAct = may && !owes && seat === yourSeat(table) && choices?.any;
  return html`
    <section class="seat ${owes ? 'owes' : ''} ${isNear ? 'mine' : ''}" aria-label="${name ?? `Seat ${seat}`}"
        .style=${`--own: var(--seat-${seat})`}>
      <h2 class="who">
        <span class="dot" aria-hidden="true"></span>
        <span class="name">${name ?? 'Free seat'}${yourSeat(table) === seat ? html` <small>(you)</small>` : nothing}</span>
        <span class="score">${signedScore(scores?.[seat], table)}</span>
        <span class="signs">
          ${resigned ? html`<span class="tag">resigned</span>` : nothing}
          ${away ? html`<span class="tag">away</span>` : nothing}
          ${kept && !policy ? html`<span class="tag">a bot plays</span>` : nothing}
          ${owes || mayAct ? html`<span class="tag turn">${owes ? 'to act' : 'may act'}</span>` : nothing}
          ${deadline ? html`<hw-clock class="tag turn" .until=${deadline}></hw-clock>` : nothing}
          ${leader === seat ? html`<span class="tag">leads</span>` : nothing}
          ${dealer === seat ? html`<abbr class="tag" title="dealer">D<span class="unseen">ealer</span></abbr>` : nothing}
        </span>
      </h2>
      ${drawZones(scene.seats[seat], draw)}
    </section>`;
}

const signedScore = (score, { game }) => (score === undefined ? '' : game === 'blindside' ? signed(score) : score);

function drawZone(zone, context) {
  const shown = zone.form === 'pile' ? zone.cards.slice(-PILE_SHOWS) : zone.cards;
  const cards = zone.sorted ? shown.toSorted((one, other) => compareFaces(one.face, other.face)) : shown;
  const interactive = context.choices && cards.some(({ place }) => isInPlay(context.choices, place));
  const words = `${zone.title}: ${inWords(zone)}`;
  const isBroken = zone.form === 'fan' && zone.seat === (seatOf(context.table) ?? 0) && cards.length > MAX_IN_LINE;
  const inLine = Math.ceil(cards.length / (isBroken ? Math.ceil(cards.length / MAX_IN_LINE) : 1));
  const at = (index) => `--at: ${index % inLine}; --line: ${Math.floor(index / inLine) + 1}`;
  const room = `--room: ${zone.room}${zone.lines ? `; --lines: ${zone.lines}` : ''}`;
  return html`
    <div class="zone ${zone.kind ?? ''}" data-zone=${zone.id} data-heap=${zone.form === 'stack' ? zone.count : nothing}
        .style=${room} role=${interactive ? 'group' : 'img'} aria-label=${words}>
      <div class=${zone.form === 'stack' ? 'pile' : zone.form} .style=${`--count: ${Math.max(inLine, 1)}`}>
        ${repeat(keyed(cards, zone.form), ({ key }) => key, ({ card: placed }, index) => (
    drawCard(placed, zone, { ...context, interactive, at: at(index) })))}
        ${cards.length ? nothing : html`<span class="card-holder">${card(null)}</span>`}
      </div>
      <p class="caption" aria-hidden="true">${zone.title}${zone.form === 'stack' || zone.form === 'pile'
    ? html` <b>${zone.count}</b>` : nothing}${zone.note ? html`<br><i>${zone.note}</i>` : nothing}</p>
    </div>`;
}

const isInPlay = (choices, place) => choices.isLit(place) || choices.reasons.has(place);

function drawCard(placed, zone, { table, choices, onPick, onPlay, interactive, at }) {
  const { face, place, under, note, seat } = placed;
  const picture = html`${card(face)}${under ? html`<span class="below">${card('??')}</span>` : nothing}${
    note || (seat !== undefined && zone.seat === null) ? html`<span class="from">${[
      seat !== undefined ? table.seats[seat].name : '', note].filter(Boolean).join(', ')}</span>` : nothing}`;
  const style = seat === undefined ? at : `${at}; --own: var(--seat-${seat})`;
  if (!interactive) return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} .style=${style}>${picture}</span>`;
  const name = nameOf(placed, zone, table);
  if (choices.isLit(place)) {
    return html`<button class="card-holder playable ${choices.isPicked(place) ? 'selected' : ''}" data-place=${place} data-face=${face ?? nothing}
      .style=${style} aria-pressed=${choices.isPicked(place)} aria-label=${name}
      @click=${() => onPick(place)} @dblclick=${() => onPlay(place)}>${picture}</button>`;
  }
  if (choices.reasons.has(place)) {
    return html`<button class="card-holder unplayable" data-place=${place} data-face=${face ?? nothing} aria-disabled="true"
      .style=${style} aria-label=${`${name}. ${choices.reasons.get(place)}`} @click=${() => onPick(place)}>${picture}</button>`;
  }
  return html`<span class="card-holder" data-place=${place} data-face=${face ?? nothing} .style=${style} role="img" aria-label=${name}>${picture}</span>`;
}

function inWords(zone) {
  if (zone.form === 'stack') return zone.count ? `${zone.count} ${zone.count === 1 ? 'card' : 'cards'}` : 'empty';
  if (!zone.count) return 'empty';
  const shown = zone.form === 'pile' ? zone.cards.slice(-1) : zone.cards;
  const text = facesInWords(shown.map(({ face }) => face));
  const more = zone.form === 'pile' && zone.count > 1 ? ` on top of ${zone.count - 1} more` : '';
  return `${text}${more}${zone.note ? ` (${zone.note})` : ''}`;
}

// A card keeps its element while it lies in a zone: in a row that of its place, elsewhere the n-th copy of a face is one
// element, which can glide when others come or go.
function keyed(cards, form) {
  if (form === 'row') return cards.map((placed) => ({ card: placed, key: placed.place }));
  const seen = new Map();
  return cards.map((placed) => {
    const face = placed.face ?? 'empty';
    const copy = seen.get(face) ?? 0;
    seen.set(face, copy + 1);
    return { card: placed, key: `${face}#${copy}` };
  });
}
