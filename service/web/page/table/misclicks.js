/**
 * Ignores a second click on the same spot right after a move or a change of the layout: a slow double click would also
 * play the card that has come to lie there.
 */
const IGNORED_MS = 500;
/** After this time, a click is no second click. */
const REPEATED_MS = 1000;
/** How far a finger may slip. */
const SLIP_PX = 16;

export class Misclicks {
  #clicked = { x: 0, y: 0, at: -Infinity };

  #changedAt = -Infinity;

  /** @param {Element} area where clicks are checked before anything else receives them */
  constructor(area) {
    for (const type of ['click', 'dblclick']) area.addEventListener(type, (event) => this.#check(event), { capture: true });
  }

  /** Notes that the player has moved, or that cards lie elsewhere now. */
  changed() {
    this.#changedAt = performance.now();
  }

  #check(event) {
    const { type, detail, clientX: x, clientY: y } = event;
    if (!detail) return; // from the keyboard
    const now = performance.now();
    const { at, ...spot } = this.#clicked;
    const isRepeated = now - at < REPEATED_MS && Math.hypot(x - spot.x, y - spot.y) < SLIP_PX;
    if (isRepeated && at <= this.#changedAt && now - this.#changedAt < IGNORED_MS) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (type === 'click') this.#clicked = { x, y, at: now };
  }
}
