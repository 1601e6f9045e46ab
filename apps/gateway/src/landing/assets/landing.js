const origin = new URL('.', location.href).href.replace(/\/$/, '');
const said = document.getElementById('said');

for (const code of document.querySelectorAll('code[data-origin]')) {
  code.textContent = code.textContent.replaceAll(code.dataset.origin, origin);
}

for (const button of document.querySelectorAll('button.copy')) {
  // The clipboard is there on secure origins only; the text can be selected on any.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = button.previousElementSibling.textContent;
    try {
      await navigator.clipboard.writeText(text);
      show(button, 'Copied');
    } catch {
      show(button, 'Not allowed');
    }
  });
}

function show(button, text) {
  button.textContent = text;
  said.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 2000);
}

const state = document.getElementById('state');
const states = { ready: 'Ready', degraded: 'Working, with something amiss', unavailable: 'Not able to work' };

async function readState() {
  try {
    const response = await fetch('health/ready', { headers: { Accept: 'application/json' } });
    const { status } = await response.json();
    setState(status in states ? status : 'unknown', states[status] ?? 'State not known');
  } catch {
    setState('unavailable', 'Not reachable');
  }
}

function setState(name, text) {
  // Screen readers announce each change of the text, so it is written only when it does change.
  if (state.textContent !== text) state.textContent = text;
  state.dataset.state = name;
}

if (state) {
  readState();
  setInterval(() => {
    if (!document.hidden) readState();
  }, 10_000);
}

const form = document.getElementById('key-form');
if (form) {
  const verdict = document.getElementById('verdict');
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    verdict.textContent = 'Checking…';
    try {
      const response = await fetch('auth/validate', { headers: { 'X-API-Key': form.elements.key.value } });
      const body = await response.json();
      verdict.textContent = body.message ?? body.detail;
      verdict.dataset.valid = String(body.valid === true);
    } catch {
      verdict.textContent = 'The key could not be sent. Look for characters that no key has.';
      verdict.dataset.valid = 'false';
    }
  });
}
