import { element } from './dom.js';
import { ask, readQuota } from './quota.js';

export function startKeyTester() {
  const form = document.getElementById('tester');
  if (form === null) return;
  const [field, show, forget, verdict] = ['key', 'show', 'forget', 'verdict'].map((name) =>
    document.getElementById(`tester-${name}`),
  );
  /** Number of the latest check; earlier results are ignored. */
  let latest = 0;
  const clear = () => {
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
    verdict.replaceChildren(element('p', { class: 'hint' }, 'Checking…'));
    const mine = ++latest;
    const result = await checkKey(key);
    if (mine !== latest) return;
    forget.hidden = false;
    setTriedKey(result.isKey ? key : '');
    verdict.dataset.valid = String(result.isValid);
    verdict.replaceChildren(...describeVerdict(result));
  });
  show.addEventListener('click', () => setShown(field.type === 'password'));
  forget.addEventListener('click', () => {
    clear();
    field.focus();
  });
  // The back/forward cache must not contain a key.
  addEventListener('pagehide', clear);
}

async function checkKey(key) {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return {
      isValid: false,
      title: 'Not a key',
      message: 'A key has letters, digits and punctuation, without spaces.',
    };
  }
  try {
    // Three parts with dots are an access token; a key of that form is valid in X-API-Key only.
    const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
    const response = await ask('auth/validate', isToken ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key });
    const { valid, code, message, detail, title, name, owner, scopes } = await response.json();
    if (response.status !== 200) return { isValid: false, title, message: detail };
    return {
      isValid: valid,
      isKey: code === 'key_valid',
      title: titles[code] ?? code,
      message,
      name,
      owner,
      scopes,
      left: readQuota(response.headers),
    };
  } catch {
    return { isValid: false, title: 'No response', message: 'The server could not be reached. Try again.' };
  }
}

const titles = {
  key_valid: 'Valid key',
  key_invalid: 'Unknown key',
  key_expired: 'Expired key',
  key_revoked: 'Revoked key',
  key_missing: 'No key',
  key_repeated: 'Key sent twice',
  token_valid: 'Valid token',
  token_invalid: 'Invalid token',
  token_expired: 'Expired token',
};

function describeVerdict({ isValid, title, message, name, owner, scopes, left }) {
  const parts = [element('p', { class: 'verdict-title' }, title)];
  if (!isValid) return [...parts, element('p', {}, message)];
  const list = element('dl');
  const add = (term, ...values) => list.append(element('dt', {}, term), element('dd', {}, values));
  if (name !== undefined) add('Name', name);
  if (owner !== undefined) add('Owner', owner);
  if (scopes !== undefined) add('Scopes', ...(scopes.length === 0 ? ['none'] : scopes.map(scopeMark)));
  if (left !== undefined) add('Requests left', `${left.left} of ${left.quota} per ${windowText(left.seconds)}`);
  return [...parts, list];
}

const windows = { 1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day' };

/** Returns the name of a window; a longer one than a day is a month. */
function windowText(seconds) {
  return windows[seconds] ?? 'month';
}

function scopeMark(scope) {
  return element('span', { class: 'mark scope' }, scope);
}

/** The last valid key, stored only in this variable. */
let tried = '';
const listeners = [];

export function triedKey() {
  return tried;
}

function setTriedKey(key) {
  tried = key;
  for (const listener of listeners) listener();
}

export function onTriedKey(listener) {
  listeners.push(listener);
}
