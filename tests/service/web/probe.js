/**
 * What a browser can say of a page without the page's help; it runs in it before anything else does.
 *
 * Times are those of `performance.now()`. A frame counts as painted when the browser comes back to the page after
 * having made it: a message that was sent in `requestAnimationFrame` arrives then.
 */
(() => {
  const probe = { shifts: [], painted: [], waiting: [], clicks: [], seen: {}, longest: 0 };
  window.probe = probe;

  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) => `${named(node)} ${where(previousRect)} → ${where(currentRect)}`);
      probe.shifts.push({ value, hadRecentInput, startTime, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });

  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longest = Math.max(probe.longest, duration);
  }).observe({ type: 'long-animation-frame', buffered: true });

  const where = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  function named(node) {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    return element ? `${element.localName}.${[...element.classList].join('.')}` : 'something that is gone';
  }

  const afterPaint = (then) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => then(performance.now());
    port2.postMessage(null);
  });

  addEventListener('click', ({ timeStamp }) => probe.clicks.push(timeStamp), { capture: true });

  // What is on the screen for the first time, and when. The cards are drawn with a picture that is loaded apart.
  let spriteIsThere = false;
  const WANTED = {
    room: () => document.querySelector('.ways .main'),
    cards: () => spriteIsThere && document.querySelector('.felt [data-place][data-face]:not([data-face="??"])'),
    lit: () => spriteIsThere && document.querySelector('.card-holder.playable'),
  };

  function look() {
    for (const [name, isThere] of Object.entries(WANTED)) {
      if (name in probe.seen || !isThere()) continue;
      probe.seen[name] = null;
      afterPaint((time) => { probe.seen[name] = time; });
    }
  }

  new PerformanceObserver((list) => {
    if (!list.getEntries().some(({ name }) => name.includes('/cards.svg'))) return;
    spriteIsThere = true;
    look();
  }).observe({ type: 'resource', buffered: true });

  new MutationObserver(() => {
    look();
    const arrived = probe.waiting.splice(0);
    if (arrived.length) afterPaint((time) => probe.painted.push(...arrived.map((at) => time - at)));
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  // A chunk of a stream counts from the moment at which the page could read it.
  const read = ReadableStreamDefaultReader.prototype.read;
  const decoder = new TextDecoder();
  ReadableStreamDefaultReader.prototype.read = function () {
    return read.call(this).then((result) => {
      const events = result.value ? decoder.decode(result.value).match(/^event: view$/gm)?.length ?? 0 : 0;
      for (let event = 0; event < events; event += 1) probe.waiting.push(performance.now());
      return result;
    });
  };
})();
