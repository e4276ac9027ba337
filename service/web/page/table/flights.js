/**
 * Moves cards from where they lay to where they lie now.
 *
 * The table is drawn at once and complete; then each card that came from somewhere is animated from there (FLIP), so
 * nothing waits for a movement, and the picture is right even if none is shown. A card that appears is matched with
 * one that disappeared: the same face first, then a hidden card of the seat that acted, then the nearest heap.
 */
const DURATION_MS = 360;
const EASING = 'cubic-bezier(.2,.7,.3,1)';

const still = () => document.documentElement.dataset.motion === 'less' || document.hidden
  || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @returns {Map<Element, {box: DOMRect, face: string, zone: string}>} where each card lies */
export function measured(root) {
  const found = new Map();
  if (still()) return found;
  for (const element of root.querySelectorAll('.felt [data-place][data-face]')) {
    const zone = element.closest('[data-zone]').dataset.zone;
    found.set(element, { box: element.getBoundingClientRect(), face: element.dataset.face, zone, picture: element });
  }
  return found;
}

/**
 * Animates from an earlier measurement to what is drawn now.
 *
 * @param {HTMLElement} root
 * @param {ReturnType<typeof measured>} before
 * @param {{data?: {seat?: number}}[]} events of the newest message: whose cards moved
 */
export function fly(root, before, events) {
  if (!before.size) return;
  const after = measured(root);
  const gone = [...before].filter(([element]) => !after.has(element)).map(([, card]) => card);
  const acting = new Set(events.map(({ data }) => data?.seat).filter((seat) => seat !== undefined));
  for (const [element, card] of after) {
    const was = before.get(element);
    if (was && was.face === card.face) shift(element, was.box, card.box);
    else if (!was) {
      const from = takeSource(gone, before, card, acting);
      if (from) shift(element, from.box, card.box);
    }
  }
}

function takeSource(gone, before, card, acting) {
  const of = (test) => gone.findIndex(test);
  const acts = ({ zone }) => acting.has(Number(zone.split('.')[1]));
  const index = [
    of(({ face, zone }) => face === card.face && face !== '??' && zone !== card.zone),
    of((other) => other.face === '??' && other.zone !== card.zone && acts(other)),
    of((other) => other.zone !== card.zone && card.face === '??' && acts(other)),
  ].find((found) => found >= 0);
  if (index !== undefined) return gone.splice(index, 1)[0];
  // Nothing has gone, so it came off a heap: heaps stay where they are and only shrink.
  return [...before.values()].find(({ zone, face }) => face === '??' && !zone.includes('.') && zone !== card.zone);
}

function shift(element, from, to) {
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
