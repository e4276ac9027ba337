/** The base of the page's custom elements: a lit-html template, drawn once for all changes of a task. */
import { render } from '../vendor/lit-html/lit-html.js';

export class Room extends HTMLElement {
  #due = false;

  #leaving = [];

  connectedCallback() {
    this.enter();
    this.update();
  }

  disconnectedCallback() {
    for (const undo of this.#leaving.splice(0)) undo();
  }

  /** Starts streams, timers and requests when the element is shown; see `whenLeaving`. */
  enter() {}

  /** Registers a function for when the element is removed, to close streams and timers. */
  whenLeaving(undo) {
    this.#leaving.push(undo);
  }

  /** Listens to an event while the element is shown. */
  listen(target, type, handler) {
    target.addEventListener(type, handler);
    this.whenLeaving(() => target.removeEventListener(type, handler));
  }

  /** Calls a function at an interval in ms while the element is shown and the tab is visible. */
  every(ms, work) {
    const timer = setInterval(() => { if (!document.hidden) work(); }, ms);
    this.whenLeaving(() => clearInterval(timer));
  }

  /** Sets fields and draws the element again. */
  set(changes) {
    Object.assign(this, changes);
    this.update();
  }

  update() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (this.isConnected) this.draw();
    });
  }

  draw() {
    render(this.template(), this);
  }
}
