/** Whether nothing should move: by the wish of the device or of the player, or because nobody looks. */
export const isMotionReduced = () => document.documentElement.dataset.motion === 'less' || document.hidden
  || matchMedia('(prefers-reduced-motion: reduce)').matches;
