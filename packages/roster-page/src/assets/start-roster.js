import { announce, element, setText } from '../../../pages/src/assets/dom.js';
import {
  currentSession,
  Failure,
  readPeople,
  renew,
  resumeSession,
  signIn,
  signOut,
  startSession,
  suspend,
} from './api-session.js';
import { loadCatalogue } from './catalogue.js';
import { closePerson } from './close-person.js';
import { describeFailure } from './failure-view.js';
import { personRow, skeletonRows } from './people-table.js';
import { outcome, requestRow, showRequest } from './request-view.js';
import { fragmentOf, noFilter, viewOf } from './roster-address.js';
import { fileOptions, rosterFilter, rosterOptions } from './roster-query.js';

const at = (id) => document.getElementById(id);
const logMax = 50;

/** The current view, also in the address; `own` is a filter written by hand, which replaces all others. */
let view = viewOf('');
let people = [];
/** Aborts the previous request: only the latest response counts. */
let asking = new AbortController();
let typing;
/** Whether the panel has saved a change that the list does not show yet. */
let isOutdated = false;

startSession({ ended: askAgain, requested: log });
at('sign-in').hidden = false;
// A link may contain the company key, which is not secret.
at('company').value = viewOf(location.hash).companyKey;
if (resumeLinked()) resume();
else at('account').focus();

/** Continues the session of this tab, unless the link names another company. */
function resumeLinked() {
  if (!resumeSession()) return false;
  if (isOwnLink()) return true;
  suspend();
  return false;
}

function isOwnLink() {
  const { companyKey } = viewOf(location.hash);
  return companyKey === '' || companyKey === currentSession().companyKey;
}

// The fragment is the view, so the link to the content must not replace it.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  at('main').focus();
});

/* Signing in and out */
at('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [account, companyKey] = ['account', 'company'].map((id) => at(id).value.trim());
  // Leading and trailing spaces are part of a password.
  const password = at('password').value;
  const submit = at('sign-in').querySelector('.main');
  const isAgain = at('again').open;
  at('sign-in-fault').replaceChildren();
  submit.disabled = true;
  submit.textContent = 'Signing in…';
  try {
    if (isAgain) await renew(password);
    else await signIn({ account, password, companyKey });
    at('password').value = '';
    if (isAgain) at('again').close();
    else await enter();
  } catch (failure) {
    // After an abort by signing out the page is cleared already.
    if (failure.name !== 'AbortError') {
      if (!isAgain) signOut();
      at('sign-in-fault').replaceChildren(describeFailure(failure));
    }
  }
  submit.disabled = false;
  submit.textContent = 'Sign in';
});
for (const id of ['sign-out', 'leave']) at(id).addEventListener('click', leave);
// The back/forward cache must contain neither token nor people.
addEventListener('pagehide', () => {
  suspend();
  clear();
});
addEventListener('pageshow', ({ persisted }) => persisted && resumeLinked() && resume());

/** Shows the view of the address after a sign-in. A fault of the first request is shown at the sign-in. */
async function enter() {
  readAddress();
  const { body, request } = await readPeople(rosterOptions({ ...view, ...noFilter, part: 0 }));
  reveal();
  if (rosterFilter(view) || view.own || view.part > 0) await load({ part: view.part }, { replaces: true });
  else show(body, request);
  await complete();
}

/** Shows the view of the address with the session of this tab. */
async function resume() {
  readAddress();
  reveal();
  await load({ part: view.part }, { replaces: true });
  await complete();
}

function readAddress() {
  view = { ...viewOf(location.hash), companyKey: currentSession().companyKey };
}

function reveal() {
  at('welcome').hidden = true;
  at('roster').hidden = false;
  at('who').textContent = currentSession().account;
  showFields();
  at('roster-title').focus();
}

/** Adds what takes more requests, unless the session has ended meanwhile. */
async function complete() {
  if (currentSession() === undefined) return;
  writeAddress(true);
  showPerson();
  try {
    const { tags, skills } = await loadCatalogue();
    at('tag').replaceChildren(at('tag').firstElementChild, ...tags.map((group) => tagGroup(...group)));
    at('skill').replaceChildren(at('skill').firstElementChild, ...skills.map((name) => element('option', {}, name)));
    chooseTagAndSkill();
    at('hidden-data').hidden = tags.length + skills.length > 0;
  } catch {
    // The page works without the lists of tags and skills.
  }
}

function tagGroup(category, names) {
  const option = (text, ...tag) => element('option', { value: JSON.stringify(tag) }, text);
  return element(
    'optgroup',
    { label: category },
    option(`Any ${category}`, category),
    names.map((name) => option(name, category, name)),
  );
}

function leave() {
  signOut();
  view = { ...viewOf(''), companyKey: view.companyKey };
  writeAddress(true);
  clear();
  announce('Signed out.');
  at('account').focus();
}

function clear() {
  asking.abort();
  clearTimeout(typing);
  if (at('again').open) at('again').close();
  at('person').close();
  at('person').replaceChildren();
  people = [];
  for (const id of ['people', 'request-shown', 'log-list', 'failure', 'sign-in-fault']) at(id).replaceChildren();
  for (const id of ['tag', 'skill']) at(id).replaceChildren(at(id).firstElementChild);
  at('filter').reset();
  at('own-filter').value = '';
  at('expert').open = false;
  at('password').value = '';
  at('roster').hidden = true;
  at('hidden-data').hidden = true;
  at('welcome').hidden = false;
}

/** Shows the sign-in form over the page; resolves after a new token or a sign-out. */
function askAgain() {
  const form = at('sign-in');
  const dialog = at('again');
  at('account').readOnly = true;
  at('account').value = currentSession().account;
  at('company-field').hidden = true;
  at('leave').hidden = false;
  dialog.append(form);
  dialog.showModal();
  at('password').focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close',
      () => {
        at('sign-in-card').append(form);
        at('account').readOnly = false;
        at('company-field').hidden = false;
        at('leave').hidden = true;
        resolve();
      },
      { once: true },
    );
  });
}
at('again').addEventListener('cancel', leave);

/* The address */
function writeAddress(replaces) {
  const fragment = fragmentOf(view);
  if (fragment === location.hash.slice(1)) return;
  const address = fragment === '' ? location.pathname : `#${fragment}`;
  history[replaces ? 'replaceState' : 'pushState'](null, '', address);
}

addEventListener('popstate', () => {
  if (currentSession() === undefined) return;
  if (!isOwnLink()) {
    suspend();
    clear();
    at('company').value = viewOf(location.hash).companyKey;
    at('account').focus();
    return;
  }
  if (viewOf(location.hash).person !== view.person && at('person').open && !closePerson()) {
    writeAddress();
    return;
  }
  const [list, { person }] = [listOf(view), view];
  readAddress();
  if (view.person !== person) showPerson();
  if (listOf(view) === list) return;
  showFields();
  load({ part: view.part }, { replaces: true });
});

const listOf = (one) => fragmentOf({ ...one, person: undefined });

/* Results */
async function load(change = {}, { replaces = false } = {}) {
  view = { ...view, part: 0, ...change };
  writeAddress(replaces);
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const results = at('results');
  results.setAttribute('aria-busy', 'true');
  if (people.length === 0) at('people').replaceChildren(...skeletonRows(6));
  try {
    const { body, request } = await readPeople(rosterOptions(view), { signal });
    const total = body['@odata.count'];
    // The last people of a page may have been deleted.
    if (body.value.length === 0 && total > 0)
      return load({ part: Math.ceil(total / view.size) - 1 }, { replaces: true });
    show(body, request);
  } catch (failure) {
    if (failure.name !== 'AbortError') fail(failure);
  } finally {
    if (asking.signal === signal) results.removeAttribute('aria-busy');
  }
}

function show({ value, '@odata.count': total }, request) {
  people = value;
  at('failure').replaceChildren();
  at('results').hidden = false;
  at('own-filter').removeAttribute('aria-invalid');
  at('people').replaceChildren(...(value.length > 0 ? value.map(personRow) : [emptyRow()]));
  showLatest(request);
  const parts = Math.max(1, Math.ceil(total / view.size));
  const first = view.part * view.size;
  const found = total === 1 ? '1 person' : `${total.toLocaleString('en')} people`;
  setText(at('count'), found);
  setText(at('part'), total === 0 ? '' : `${first + 1}–${first + value.length} of ${total.toLocaleString('en')}`);
  announce(total === 0 ? 'No matches.' : `${found}, page ${view.part + 1} of ${parts}.`);
  at('previous').disabled = view.part === 0;
  at('next').disabled = view.part + 1 >= parts;
  for (const head of document.querySelectorAll('th[data-order]')) {
    const isMine = head.dataset.order === view.order;
    head.setAttribute('aria-sort', isMine ? (view.isDescending ? 'descending' : 'ascending') : 'none');
  }
  at('order').value = view.order;
  at('clear').disabled = rosterFilter(view) === '';
}

function emptyRow() {
  const text =
    rosterFilter(view) || view.own
      ? 'No matches. Try fewer words, or clear the filter.'
      : 'This company has no staff yet.';
  return element('tr', { role: 'row' }, element('td', { role: 'cell', colspan: '8', class: 'empty' }, text));
}

function fail(failure) {
  people = [];
  at('results').hidden = true;
  setText(at('count'), '');
  if (failure.request) showLatest(failure.request);
  const filter = view.own ?? rosterFilter(view);
  at('clear').disabled = rosterFilter(view) === '';
  at('own-filter').toggleAttribute('aria-invalid', view.own !== undefined && failure.status < 500);
  at('failure').replaceChildren(describeFailure(failure, { filter, onRetry: () => load({ part: view.part }) }));
}

function showLatest(request) {
  showRequest(at('request-shown'), request);
  at('request-outcome').replaceChildren(outcome(request));
}

function log(request) {
  const list = at('log-list');
  list.prepend(requestRow(request));
  if (list.children.length > logMax) list.lastElementChild.remove();
  at('log-count').textContent = list.children.length;
}

/* Filter */
function showFields() {
  const { text, day, isActive, own, size } = view;
  at('text').value = text;
  chooseTagAndSkill();
  at('day').value = day;
  at('active').checked = isActive;
  at('size').value = size;
  at('own-filter').value = own ?? '';
  at('expert').open = own !== undefined;
}

function chooseTagAndSkill() {
  const { tag, skill } = view;
  choose('tag', tag && JSON.stringify(tag), tag?.at(-1));
  choose('skill', skill);
}

/** Selects a value, also one that is not in the list yet. */
function choose(id, value = '', text = value) {
  const isKnown = [...at(id).options].some((option) => option.value === value);
  if (!isKnown) at(id).append(element('option', { value }, text));
  at(id).value = value;
}

function readFields() {
  const { value } = at('tag');
  return {
    text: at('text').value,
    tag: value === '' ? undefined : JSON.parse(value),
    skill: at('skill').value,
    day: at('day').value,
    isActive: at('active').checked,
  };
}

at('fields').addEventListener('input', ({ target }) => {
  clearTimeout(typing);
  if (target.id === 'order') return load({ order: target.value, isDescending: false });
  // Requests wait until the typing stops.
  const isText = target.id === 'text';
  // A search is one step back, not one for each pause in typing.
  typing = setTimeout(() => load(readFields(), { replaces: isText && view.text !== '' }), isText ? 300 : 0);
});
at('filter').addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  load(
    at('expert').open
      ? {
          own: at('own-filter')
            .value.replaceAll(/\s*\n\s*/g, ' ')
            .trim(),
        }
      : readFields(),
  );
});
at('clear').addEventListener('click', () => {
  at('filter').reset();
  load(noFilter);
  at('text').focus();
});

// Starts with the filter of the fields.
at('expert').addEventListener('toggle', () => {
  const { open } = at('expert');
  at('fields').disabled = open;
  if (currentSession() === undefined) return;
  if (open) {
    at('own-filter').value ||= view.own ?? rosterFilter(view);
    if (view.own === undefined) at('own-filter').focus();
  } else if (view.own !== undefined) load({ own: undefined });
});
at('back').addEventListener('click', () => {
  at('own-filter').value = '';
  at('expert').open = false;
});
at('own-filter').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) at('apply').click();
});

// Only on a narrow screen, where the people are more important.
at('more-fields').addEventListener('click', () => {
  const isOpen = at('fields').classList.toggle('unfolded');
  at('more-fields').setAttribute('aria-expanded', isOpen);
});

for (const head of document.querySelectorAll('th[data-order] button')) {
  head.addEventListener('click', () => {
    const { order } = head.parentElement.dataset;
    load({ order, isDescending: order === view.order && !view.isDescending });
  });
}
for (const [id, step] of [
  ['previous', -1],
  ['next', 1],
]) {
  at(id).addEventListener('click', async () => {
    await load({ part: view.part + step });
    at('roster-title').scrollIntoView();
  });
}
// Only on servers with a list as CSV.
at('csv')?.addEventListener('click', async () => {
  at('csv').disabled = true;
  try {
    const { body } = await readPeople(fileOptions(view), { headers: { Accept: 'text/csv' } });
    const link = element('a', { href: URL.createObjectURL(body), download: 'roster.csv' });
    link.click();
    // Some browsers read it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    announce('Downloaded.');
  } catch (failure) {
    if (failure.name !== 'AbortError') at('failure').replaceChildren(describeFailure(failure));
  }
  at('csv').disabled = false;
});

at('size').addEventListener('change', () => load({ size: Number(at('size').value) }));

at('people').addEventListener('click', (event) => {
  const key = event.target.closest('tr')?.querySelector('button[data-key]')?.dataset.key;
  if (key === undefined || !getSelection().isCollapsed) return;
  view = { ...view, person: key };
  writeAddress();
  showPerson();
});

async function showPerson() {
  const { person } = view;
  if (person === undefined) return at('person').close();
  const onChanged = () => {
    if (at('person').open) isOutdated = true;
    else load({ part: view.part }, { replaces: true });
  };
  try {
    // Loaded with the first person.
    const { openPerson } = await import(new URL('roster-person.js', import.meta.url).href);
    if (view.person !== person || currentSession() === undefined) return;
    const shown = people.find(({ StaffKey }) => StaffKey === person) ?? { StaffKey: person };
    openPerson(shown, { onTag: findTag, onChanged });
  } catch {
    const problem = { title: 'No response', detail: 'The person could not be shown. Select the name again.' };
    at('failure').replaceChildren(describeFailure(new Failure(problem)));
  }
}
at('person').addEventListener('close', () => {
  if (currentSession() === undefined || at('person').open) return;
  view = { ...view, person: undefined };
  // Not a step of its own: it would make the back button open the person again.
  writeAddress(true);
  if (isOutdated) load({ part: view.part }, { replaces: true });
  isOutdated = false;
});
at('person').addEventListener('cancel', (event) => {
  event.preventDefault();
  closePerson();
});
at('person').addEventListener('click', ({ target }) => target === at('person') && closePerson());

function findTag(tag) {
  load({ ...noFilter, tag, person: undefined });
  showFields();
}
