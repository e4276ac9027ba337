/** The page that the service worker shows without a connection: it tries again, and then loads what was asked for. */
const PAUSES_MS = [2000, 3000, 5000, 10_000];
const status = document.querySelector('[role=status]');
let timer;

async function attempt(count) {
  clearTimeout(timer);
  status.textContent = 'Trying …';
  const answer = await fetch('/readyz', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) {
    location.reload();
    return;
  }
  status.textContent = navigator.onLine ? 'The service does not answer yet.' : 'This device is offline.';
  timer = setTimeout(attempt, PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)], count + 1);
}

document.querySelector('button').addEventListener('click', () => attempt(0));
window.addEventListener('online', () => attempt(0));
attempt(0);
