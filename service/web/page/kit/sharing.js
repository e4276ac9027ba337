/** What hands a text to another device: the clipboard, and QR codes. And invitation codes that people type in. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { session } from './session.js';

const QUIET = 4; // the margin that the standard asks for

/** Copies the text of an input; over plain http from another machine there is no clipboard, only the old command. */
export async function copyFrom(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.focus();
    input.select();
    return document.execCommand('copy');
  }
}

/** What to say after `copyFrom`. */
export const copied = (isDone) => (isDone ? 'Copied.'
  : 'This browser does not let the page copy. The link is selected: copy it with Ctrl+C.');

/** The QR code of a text, as the path of an SVG of `size` units. */
export async function qrOf(text) {
  const { generate } = await import('../vendor/lean-qr/nano.js');
  const code = generate(text);
  const dark = [];
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) dark.push(`M${x + QUIET} ${y + QUIET}h1v1h-1z`);
  }
  return { size: code.size + 2 * QUIET, path: dark.join('') };
}

/** The image of a QR code; it keeps its place while `qr` is null. */
export const qrImage = (qr) => html`<svg class="qr" role="img" aria-label="QR code of the link"
  viewBox=${qr ? `0 0 ${qr.size} ${qr.size}` : nothing}><path d=${qr?.path ?? ''}></path></svg>`;

/** Keeps the invitation code that somebody typed in or pasted as a link; returns false for a text that is none. */
export function keepCode(id, text) {
  const code = text.trim().replace(/^.*#invitation=/, '');
  if (!/^[\w-]+$/.test(code)) return false;
  session.keepInvitation(id, code);
  return true;
}
