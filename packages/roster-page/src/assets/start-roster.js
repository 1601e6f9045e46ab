import { announce, element, setText } from '../../../pages/src/assets/dom.js';
import { currentSession, readPeople, renew, signIn, signOut, startSession } from './api-session.js';
import { loadCatalogue } from './catalogue.js';
import { describeFailure } from './failure-view.js';
import { personRow, skeletonRows } from './people-table.js';
import { openPerson } from './person-panel.js';
import { outcome, requestRow, showRequest } from './request-view.js';
import { rosterFilter, rosterOptions } from './roster-query.js';

const at = (id) => document.getElementById(id);
const logMax = 50;
const freshView = { text: '', tag: undefined, skill: '', day: '', isActive: false, own: undefined };

/** The current view; `own` is a filter written by hand, which replaces all others. */
let view = { ...freshView, order: 'name', isDescending: false, part: 0, size: 25 };
let people = [];
/** Aborts the previous request: only the latest response counts. */
let asking = new AbortController();
let typing;

startSession({ ended: askAgain, requested: log });
at('sign-in').hidden = false;
at('account').focus();
// A link may contain the company key, which is not secret.
at('company').value = new URLSearchParams(location.hash.slice(1)).get('companyKey') ?? '';

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
for (const id of ['sign-out', 'leave']) at(id).addEventListener('click', () => leave());
// The back/forward cache must contain neither token nor people.
addEventListener('pagehide', leave);

async function enter() {
  const { body, request } = await readPeople(rosterOptions(view));
  at('welcome').hidden = true;
  at('roster').hidden = false;
  at('who').textContent = currentSession().account;
  show(body, request);
  at('roster-title').focus();
  try {
    const { tags, skills } = await loadCatalogue();
    at('tag').append(...tags.map(([category, names]) => tagGroup(category, names)));
    at('skill').append(...skills.map((name) => element('option', {}, name)));
    at('hidden-data').hidden = tags.length + skills.length > 0 || body['@odata.count'] === 0;
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
  const session = currentSession();
  signOut();
  asking.abort();
  clearTimeout(typing);
  if (at('again').open) at('again').close();
  at('person').close();
  at('person').replaceChildren();
  view = { ...view, ...freshView, part: 0 };
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
  if (session === undefined) return;
  announce('Signed out.');
  at('account').focus();
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
at('again').addEventListener('cancel', () => leave());

/* Results */
async function load(change = {}) {
  view = { ...view, part: 0, ...change };
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const results = at('results');
  results.setAttribute('aria-busy', 'true');
  if (people.length === 0) at('people').replaceChildren(...skeletonRows(6));
  try {
    const { body, request } = await readPeople(rosterOptions(view), signal);
    const total = body['@odata.count'];
    // The last people of a page may have been deleted.
    if (body.value.length === 0 && total > 0) return load({ part: Math.ceil(total / view.size) - 1 });
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
  typing = setTimeout(() => load(readFields()), target.id === 'text' ? 300 : 0);
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
  load(freshView);
  at('text').focus();
});

// Starts with the filter of the fields.
at('expert').addEventListener('toggle', () => {
  const { open } = at('expert');
  at('fields').disabled = open;
  if (open) {
    at('own-filter').value ||= rosterFilter(view);
    at('own-filter').focus();
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
at('size').addEventListener('change', () => load({ size: Number(at('size').value) }));

at('people').addEventListener('click', (event) => {
  const key = event.target.closest('tr')?.querySelector('button[data-key]')?.dataset.key;
  const person = people.find(({ StaffKey }) => StaffKey === key);
  if (person !== undefined && getSelection().isCollapsed) openPerson(person, { onTag: findTag });
});
at('person').addEventListener('click', ({ target }) => target === at('person') && at('person').close());

function findTag(tag) {
  at('filter').reset();
  at('own-filter').value = '';
  const value = JSON.stringify(tag);
  const isKnown = [...at('tag').options].some((option) => option.value === value);
  if (!isKnown) at('tag').append(element('option', { value }, tag[1]));
  at('tag').value = value;
  load({ ...freshView, tag });
  at('expert').open = false;
}
