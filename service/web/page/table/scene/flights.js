/**
 * Animates cards from their previous places to the present ones.
 *
 * The table is drawn completely first; then each moved card is animated from its previous place (FLIP), so nothing waits
 * for an animation, and the picture is right without one. Cards are matched by their visible faces, not by their
 * elements, which are replaced when a card becomes playable: first cards that stayed, then cards that moved elsewhere,
 * then hidden ones of the seat that acted, and last as many as have left a heap.
 */
import { isMotionReduced } from '../../kit/reduced_motion.js';

const DURATION_MS = 360;
const EASING = 'cubic-bezier(.2,.7,.3,1)';

/**
 * @typedef {{element: Element, box: DOMRect, face: string, place: string, zone: string}} Lying
 * @typedef {{cards: Lying[], heaps: Map<string, number>}} Measured the cards, and the size of each heap
 * @returns {Measured}
 */
export function measured(root) {
  if (isMotionReduced()) return { cards: [], heaps: new Map() };
  const cards = [...root.querySelectorAll('.felt [data-place][data-face]')].map((element) => {
    const { place, face } = element.dataset;
    return { element, box: element.getBoundingClientRect(), face, place, zone: place.split('/')[0] };
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
  // An element that stayed glides by itself.
  match((was, is) => was.zone === is.zone && was.face === is.face, (was, is) => { if (was.element !== is.element) shift(was, is); });
  match((was, is) => was.face === is.face && !isHidden(is), shift);
  match((was, is) => isHidden(was) && was.zone !== is.zone && acts(was), shift);
  match((was, is) => isHidden(is) && was.zone !== is.zone && acts(was), shift);
  for (const [zone, count] of taken(before, now, events, come.length)) {
    const heap = [...before.cards, ...now.cards].find((card) => card.zone === zone);
    if (heap) for (const card of come.splice(0, count)) shift(heap, card);
  }
}

/** How many cards have come from each heap; at a deal all come from the largest. */
function taken(before, now, events, come) {
  if (events.some(({ data }) => data && 'dealer' in data && 'round' in data)) {
    return [...now.heaps].sort(([, one], [, other]) => other - one).slice(0, 1).map(([zone]) => [zone, come]);
  }
  return [...before.heaps].map(([zone, count]) => [zone, Math.max(0, count - (now.heaps.get(zone) ?? 0))]);
}

function shift({ box: from }, { element, box: to }) {
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) < 1 && Math.abs(y) < 1) return;
  const scale = to.width ? from.width / to.width : 1;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: '0 0', zIndex: 5 },
      { transform: 'none', transformOrigin: '0 0', zIndex: 5 },
    ],
    { duration: DURATION_MS, easing: EASING },
  );
}
