import { ask, readAllowance } from './quota.js';
import { setTriedKey } from './tried-key.js';

export function startKeyTester() {
  const form = document.getElementById('tester');
  if (form === null) return;
  const [field, show, forget, verdict] = ['key', 'show', 'forget', 'verdict'].map((name) =>
    document.getElementById(`tester-${name}`),
  );
  /** Of several checks the last one counts, and none after the key was forgotten. */
  let latest = 0;
  const drop = () => {
    latest++;
    field.value = '';
    forget.hidden = true;
    setShown(false);
    verdict.replaceChildren();
    delete verdict.dataset.valid;
    setTriedKey('');
  };
  const setShown = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    show.setAttribute('aria-pressed', String(isShown));
  };
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const key = field.value.trim();
    verdict.replaceChildren(element('p', 'Checking…', 'hint'));
    const mine = ++latest;
    const result = await checkKey(key);
    if (mine !== latest) return;
    forget.hidden = false;
    setTriedKey(result.isValid ? key : '');
    verdict.dataset.valid = String(result.isValid);
    verdict.replaceChildren(...describeVerdict(result));
  });
  show.addEventListener('click', () => setShown(field.type === 'password'));
  forget.addEventListener('click', () => {
    drop();
    field.focus();
  });
  // A page that is shown again from the browser's memory must not hold a key.
  addEventListener('pagehide', drop);
}

async function checkKey(key) {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { isValid: false, title: 'Not a key', message: 'Keys are letters, digits and signs, without spaces.' };
  }
  try {
    const response = await ask('auth/validate', { 'X-API-Key': key });
    const { valid, code, message, detail, title, name, owner, scopes } = await response.json();
    if (response.status !== 200) return { isValid: false, title, message: detail };
    return {
      isValid: valid,
      title: titles[code] ?? code,
      message,
      name,
      owner,
      scopes,
      left: readAllowance(response.headers),
    };
  } catch {
    return { isValid: false, title: 'No answer', message: 'The server could not be reached. Try again.' };
  }
}

const titles = {
  key_valid: 'Valid key',
  key_invalid: 'Unknown key',
  key_expired: 'Expired key',
  key_revoked: 'Revoked key',
  key_missing: 'No key',
  key_repeated: 'Key sent twice',
};

function describeVerdict({ isValid, title, message, name, owner, scopes, left }) {
  const parts = [element('p', title, 'verdict-title')];
  if (!isValid) return [...parts, element('p', message)];
  const list = document.createElement('dl');
  const add = (term, ...values) => {
    const definition = document.createElement('dd');
    definition.append(...values);
    list.append(element('dt', term), definition);
  };
  if (name !== undefined) add('Name', name);
  if (owner !== undefined) add('Owner', owner);
  if (scopes !== undefined) add('Scopes', ...(scopes.length === 0 ? ['none'] : scopes.map(scopeMark)));
  if (left !== undefined) add('Requests left', `${left.left} of ${left.quota} a minute`);
  return [...parts, list];
}

function scopeMark(scope) {
  return element('span', scope, 'mark scope');
}

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}
