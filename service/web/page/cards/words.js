/** Cards in sentences. */
import { faceName, isHidden } from './faces.js';
import { list } from '../kit/words.js';

/** ['9S', '??', '??'] → 'nine of spades and 2 hidden cards'; empty places are left out */
export function facesInWords(faces) {
  const known = faces.filter((face) => face !== null && !isHidden(face)).map(faceName);
  const hidden = faces.filter((face) => face !== null && isHidden(face)).length;
  const parts = hidden ? [...known, hidden === 1 ? 'a hidden card' : `${hidden} hidden cards`] : known;
  return parts.length ? list(parts) : 'nothing';
}
