/** Alerts: short sounds, made of a few tones each, and notifications. */
import { session } from './session.js';

/** Tones as `[frequency in Hz, start in s, length in s, wave, frequency at the end]`; a frequency of 0 is noise. */
const SOUNDS = {
  fire: [[0, 0, 0.7], [90, 0, 0.5, 'sawtooth', 40]],
  sneak: [[330, 0, 0.09, 'triangle'], [392, 0.12, 0.09, 'triangle'], [659, 0.24, 0.18, 'triangle']],
  blindsided: [[311, 0, 0.25, 'square'], [208, 0.2, 0.5, 'square', 130]],
  joker: [[523, 0, 0.1, 'triangle'], [740, 0.1, 0.1, 'triangle'], [523, 0.2, 0.1, 'triangle'], [880, 0.3, 0.3, 'triangle', 440]],
  first: [[523, 0, 0.12, 'sine'], [784, 0.12, 0.3, 'sine']],
  shithead: [[196, 0, 0.3, 'sawtooth', 185], [175, 0.3, 0.3, 'sawtooth', 165], [156, 0.6, 0.7, 'sawtooth', 98]],
  call: [[659, 0, 0.12, 'sine'], [880, 0.14, 0.3, 'sine']],
  caper: [[392, 0, 0.12, 'triangle'], [523, 0.12, 0.12, 'triangle'], [659, 0.24, 0.3, 'triangle']],
  saying: [[587, 0, 0.06, 'sine'], [784, 0.07, 0.1, 'sine']],
  nudge: [[880, 0, 0.12, 'triangle'], [880, 0.2, 0.12, 'triangle'], [1175, 0.4, 0.25, 'triangle']],
  cup: [[523, 0, 0.15, 'triangle'], [659, 0.15, 0.15, 'triangle'], [784, 0.3, 0.15, 'triangle'], [1047, 0.45, 0.5, 'triangle']],
};
const LOUDNESS = 0.12;

let context = null;

/** Plays a sound; silent where the player wishes so, or the browser until the player has clicked. */
export function play(name, { isForHidden = false } = {}) {
  if (session.preferences.sound === 'off' || (document.hidden && !isForHidden) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const tone of SOUNDS[name]) sound(...tone);
}

function sound(frequency, start, length, wave, end = frequency) {
  const from = context.currentTime + start;
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(0, from);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
  loudness.connect(context.destination);
  const source = frequency ? context.createOscillator() : noise(length);
  if (frequency) {
    source.type = wave;
    source.frequency.setValueAtTime(frequency, from);
    source.frequency.linearRampToValueAtTime(end, from + length);
  }
  source.connect(loudness);
  source.start(from);
  source.stop(from + length);
}

function noise(length) {
  const source = context.createBufferSource();
  source.buffer = context.createBuffer(1, length * context.sampleRate, context.sampleRate);
  const samples = source.buffer.getChannelData(0);
  // Each sample is close to the one before, which sounds like a fire rather than like steam.
  for (let index = 1; index < samples.length; index += 1) samples[index] = samples[index - 1] * 0.9 + (Math.random() - 0.5) * 0.5;
  return source;
}

/**
 * Shows a notification if the player allows it; it replaces an earlier one about the same address.
 *
 * The service worker shows it, because phones refuse notifications of pages.
 */
export async function notify(title, { url, ...more }) {
  if (window.Notification?.permission !== 'granted') return;
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, { tag: url, icon: new URL('../icons/192.png', import.meta.url).href, data: { url }, ...more });
}
