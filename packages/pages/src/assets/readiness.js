import { element, setText } from './dom.js';
import { ask } from './quota.js';

const everyMs = 10_000;

/** Polls the readiness while the page is visible. */
export function startReadiness() {
  const block = document.getElementById('readiness');
  if (block === null) return;
  let timer;
  const check = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    showReadiness(block, await readReadiness());
    timer = setTimeout(check, everyMs);
  };
  document.addEventListener('visibilitychange', check);
  check();
}

async function readReadiness() {
  try {
    const response = await ask('health/ready', { Accept: 'application/json' });
    const { status, dependencies = {} } = await response.json();
    if (!(status in states)) return { status: 'unknown', parts: [] };
    const parts = Object.entries(dependencies).flatMap(([name, part]) =>
      part.status === 'ready' ? [] : [`${name}: ${part.reason ?? part.message ?? part.status}`],
    );
    return { status, parts };
  } catch {
    return { status: 'unreachable', parts: [] };
  }
}

const states = {
  ready: 'Ready',
  degraded: 'Degraded',
  unavailable: 'Unavailable',
  unreachable: 'Unreachable',
  unknown: 'Status unknown',
};

function showReadiness(block, { status, parts }) {
  const list = document.getElementById('readiness-parts');
  block.dataset.state = status;
  setText(document.getElementById('readiness-state'), states[status]);
  if ([...list.children].map((item) => item.textContent).join('\n') === parts.join('\n')) return;
  list.hidden = parts.length === 0;
  list.replaceChildren(...parts.map((part) => element('li', {}, part)));
}
