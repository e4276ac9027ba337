/** The faces of bots, one per level. */
import { svg } from '../../vendor/lit-html/lit-html.js';

const dots = svg`<circle cx="9" cy="13" r="1.8"/><circle cx="15" cy="13" r="1.8"/>`;
const line = (path) => svg`<path d=${path} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>`;

const LOOKS = {
  novice: [dots, 'M10 18q2 1.500 4 0M7 9l3-1m7 1l-3-1'],
  steady: [dots, 'M9 17.500h6'],
  sharp: [dots, 'M9 17.500q4 1 6-.8M7 9.500l3.500 1.200m6.500-1.200l-3.500 1.200'],
  expert: [dots, 'M9 18q3 1.500 6 0M5.500 13a3.500 3.500 0 0 1 6.500-1 3.500 3.500 0 0 1 6.500 1 3.500 3.500 0 0 1-6.500 1 3.500 3.500 0 0 1-6.500-1'],
};
const ODD = ['', 'M7.500 12l3 2.500m0-2.500l-3 2.500m6-2.500l3 2.500m0-2.500l-3 2.500M9 18l1.500-1 1.500 1 1.500-1 1.500 1'];

/** A face for the level of a bot. */
export function face(policy) {
  const [eyes, strokes] = LOOKS[policy] ?? ODD;
  return svg`<svg viewBox="0 0 24 24" fill="currentColor">${line('M12 5V2.500M6 6h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z')}${eyes}${line(strokes)}</svg>`;
}
