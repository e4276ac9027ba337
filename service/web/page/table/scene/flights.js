/**
 * Animates cards from their previous places to the present ones.
 *
 * The table is drawn completely first; then each moved card is animated from its previous place (FLIP), so nothing waits
 * for an animation, and the picture is right without one. Cards are matched by their visible faces, not by their
 * elements, which are replaced when a card becomes playable: first cards that stayed, then cards that moved elsewhere,
 * then hidden ones of the seat that acted, and last as many as have left a heap. A card that nobody could see turns over
 * slowly, and a trick that gives way to the next one slides to its taker.
 */
import { isMotionReduced } from './reduced_motion.js';

const DURATION_MS = 360;
const TURN_MS = 600;
const EASING = 'cubic-bezier(.2,.7,.3,1)';

/**
 * @typedef {{element: Element, box: DOMRect, face: string, place: string, zone: string, isHeld: boolean, taker?: string,
 *   ghost?: Element}} Lying `taker` is the seat that has won the trick in which it lies
 * @typedef {{cards: Lying[], heaps: Map<string, number>}} Measured the cards, and the size of each heap
 * @returns {Measured}
 */
export function measured(root) {
  if (isMotionReduced()) return { cards: [], heaps: new Map() };
  // Those in the centre first: what a trick shows may lie among its taker's cards as well.
  const cards = ['.centre', '.others', '.dock'].flatMap((part) => [...root.querySelectorAll(`.felt ${part} [data-face]`)]).map((element) => {
    const { place, face } = element.dataset;
    const taker = element.closest('[data-taker]')?.dataset.taker;
    return {
      element,
      box: element.getBoundingClientRect(),
      face,
      place,
      zone: place.split('/')[0],
      isHeld: Boolean(element.closest('.held')),
      taker,
      ghost: taker && element.querySelector('.card').cloneNode(true),
    };
  });
  const heaps = [...root.querySelectorAll('.felt [data-heap]')].map(({ dataset }) => [dataset.zone, Number(dataset.heap)]);
  return { cards, heaps: new Map(heaps) };
}

/**
 * Animates from an earlier measurement to what is drawn now.
 *
 * @param {HTMLElement} root
 * @param {Measured} before
 * @param {{data?: {seat?: number}}[]} events of the newest message: whose cards moved
 */
export function fly(root, before, events) {
  if (!before.cards.length) return;
  const now = measured(root);
  const acting = new Set(events.map(({ data }) => data?.seat).filter((seat) => seat !== undefined));
  const acts = ({ zone }) => acting.has(Number(zone.split('.')[1]));
  const isHidden = ({ face }) => face === '??';
  const [left, arrived] = [before, now].map(({ cards, heaps }) => cards.filter(({ zone }) => !heaps.has(zone)));
  let come = arrived;
  const match = (isSame, move) => {
    come = come.filter((card) => {
      const index = left.findIndex((other) => isSame(other, card));
      if (index >= 0) move(...left.splice(index, 1), card);
      return index < 0;
    });
  };
  match((was, is) => was.place === is.place && was.face === is.face, () => {});
  match((was, is) => was.place === is.place && isHidden(was) && !isHidden(is), turn);
  // An element that stayed glides by itself.
  match((was, is) => was.zone === is.zone && was.face === is.face, (was, is) => { if (was.element !== is.element) shift(was, is); });
  match((was, is) => was.face === is.face && !isHidden(is), shift);
  match((was, is) => isHidden(was) && was.zone !== is.zone && acts(was), (was, is) => (
    was.isHeld || isHidden(is) ? shift : turn)(was, is));
  match((was, is) => isHidden(is) && was.zone !== is.zone && acts(was), shift);
  for (const [zone, count] of taken(before, now, events, come.length)) {
    const heap = [...before.cards, ...now.cards].find((card) => card.zone === zone);
    if (heap) for (const card of come.splice(0, count)) shift(heap, card);
  }
  for (const card of left) if (card.taker) slide(card, root);
}

/** How many cards have come from each heap; at a deal all come from the largest. */
function taken(before, now, events, come) {
  if (events.some(({ data }) => data && 'dealer' in data && 'round' in data)) {
    return [...now.heaps].sort(([, one], [, other]) => other - one).slice(0, 1).map(([zone]) => [zone, come]);
  }
  return [...before.heaps].map(([zone, count]) => [zone, Math.max(0, count - (now.heaps.get(zone) ?? 0))]);
}

/** How far the middle of a box is from that of another. */
const between = (from, to) => [from.left - to.left + (from.width - to.width) / 2, from.top - to.top + (from.height - to.height) / 2];

// Frames with more than `transform` and `opacity` would keep the page's own thread busy during the whole movement.
function move(element, frames, duration, easing) {
  element.style.zIndex = 5;
  element.flight = element.animate(frames, { duration, easing });
  element.flight.onfinish = () => { element.style.zIndex = ''; };
}

/** Ends the flight of an element that now shows another card, and returns where the element lies. */
function land({ element, box }) {
  if (!element.flight) return box;
  element.flight.cancel();
  element.style.zIndex = '';
  element.querySelector('.passing')?.remove();
  return element.getBoundingClientRect();
}

function shift({ box: from }, is) {
  const to = land(is);
  const [x, y] = between(from, to);
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = to.width ? from.width / to.width : 1;
  move(is.element, [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }], DURATION_MS, EASING);
}

/** Turns a card over on its way. */
function turn({ box: from }, is) {
  const { element } = is;
  const [x, y] = between(from, land(is));
  const back = element.querySelector('.card').cloneNode(true);
  const use = back.querySelector('use');
  use.setAttribute('href', use.getAttribute('href').replace(/#.*/, '#back'));
  back.classList.add('passing');
  element.append(back);
  const at = (share, degrees) => ({ transform: `translate(${x * share}px, ${y * share}px) perspective(30rem) rotateY(${degrees}deg)` });
  move(element, [at(1, 0), at(0.4, 90), at(0, 0)], TURN_MS, 'ease-in-out');
  const shown = [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }];
  back.animate(shown, { duration: TURN_MS, easing: 'ease-in-out' }).onfinish = () => back.remove();
}

/** Slides a card that is no longer drawn to the seat that has taken it. */
function slide({ box, ghost, taker }, root) {
  const [x, y] = between(root.querySelector(`.seat[data-seat="${taker}"]`).getBoundingClientRect(), box);
  ghost.classList.add('passing');
  ghost.style.cssText = `position: fixed; left: ${box.left}px; top: ${box.top}px; inline-size: ${box.width}px`;
  root.querySelector('.felt').append(ghost);
  ghost.animate([{}, { transform: `translate(${x}px, ${y}px) scale(.5)`, opacity: 0.2 }], { duration: 1.5 * DURATION_MS, easing: 'ease-in' })
    .onfinish = () => ghost.remove();
}

/**
 * Lets the cards of a line glide once the line has been laid out. Firefox takes a new one to be as wide as the window at
 * first, and would let its cards come from there.
 */
export function settle(root) {
  requestAnimationFrame(() => setTimeout(() => {
    root.getBoundingClientRect(); // A busy Firefox interrupts the layout of a frame. Measuring completes it.
    for (const line of root.querySelectorAll(':is(.fan, .row):not([data-laid])')) line.dataset.laid = '';
  }));
}
