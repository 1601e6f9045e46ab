import { prepareRows } from './copy-buttons.js';
import { announce, element, setText } from './dom.js';
import { ask } from './quota.js';

/** Filters the list while typing: on the page if the list is complete, or else by requests. */
export function startOperationList() {
  const form = document.getElementById('filter');
  openForPrinting();
  if (form === null) return;
  const isWhole = 'whole' in form.dataset;
  document.getElementById('filter-go').hidden = true;
  let timer;
  const filter = () => {
    const query = queryOf(form);
    if (isWhole) filterRows(query);
    else load(query, { keep: 'replaceState' });
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    // Requests wait until the typing stops.
    timer = setTimeout(filter, isWhole ? 60 : 350);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    filter();
  });
  document.getElementById('endpoints-found').addEventListener('click', (event) => {
    const link = event.target.closest('a[data-page]');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    load({ ...queryOf(form), page: link.dataset.page }, { keep: 'pushState', isTurned: true });
  });
  addEventListener('popstate', () => {
    const shown = new URLSearchParams(location.search);
    for (const name of ['q', 'tag']) if (form.elements[name]) form.elements[name].value = shown.get(name) ?? '';
    load(Object.fromEntries(shown), {});
  });
}

function queryOf(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim() !== ''));
}

function filterRows({ q = '', tag = '' }) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = document.getElementById('endpoints-found');
  let [total, shown] = [0, 0];
  for (const group of found.querySelectorAll('.group')) {
    let isAnyShown = false;
    for (const row of group.querySelectorAll('.row')) {
      const { find, tags } = row.dataset;
      const isShown = words.every((word) => find.includes(word)) && (tag === '' || tags.split('\n').includes(tag));
      row.hidden = !isShown;
      total++;
      if (isShown) shown++;
      isAnyShown ||= isShown;
    }
    group.hidden = !isAnyShown;
  }
  found.querySelector('.none')?.remove();
  if (shown === 0) found.append(element('p', { class: 'card hint none' }, 'No matches. Try fewer words, or all tags.'));
  showCount(shown === total ? String(total) : `${shown} of ${total}`);
}

let latest = 0;

async function load(query, { keep, isTurned = false }) {
  const mine = ++latest;
  const search = new URLSearchParams(query).toString();
  const address = search === '' ? './' : `./?${search}`;
  const found = document.getElementById('endpoints-found');
  found.setAttribute('aria-busy', 'true');
  try {
    const response = await ask(address, { Accept: 'text/html, application/problem+json' });
    const text = await response.text();
    // Only the latest response counts.
    if (mine !== latest) return;
    if (!response.ok) throw new Error(JSON.parse(text).detail);
    const page = new DOMParser().parseFromString(text, 'text/html');
    found.replaceChildren(...page.getElementById('endpoints-found').childNodes);
    prepareRows(found);
    showCount(page.getElementById('endpoints-count').textContent);
    if (keep !== undefined) history[keep](null, '', address);
    if (isTurned) document.getElementById('endpoints').focus();
  } catch (error) {
    if (mine === latest) showCount(`Not loaded: ${error.message}`);
  } finally {
    if (mine === latest) found.removeAttribute('aria-busy');
  }
}

function showCount(text) {
  const count = document.getElementById('endpoints-count');
  if (count.textContent === text) return;
  setText(count, text);
  announce(/^\d/.test(text) ? `${text} endpoints` : text);
}

/** Opens all details for printing. */
function openForPrinting() {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('.row details:not([open]), details.built-in:not([open])')];
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}
