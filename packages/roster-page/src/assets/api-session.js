import { addressOf } from './roster-query.js';

/** The session with its token, also stored for this tab until the sign-out or a 401. */
let session;
/** The session of a login in flight. */
let pending;
let onEnded;
let onRequest;

/** `ended` resolves after a new sign-in or a sign-out; `requested` is called with each answered request. */
export function startSession({ ended, requested }) {
  onEnded = ended;
  onRequest = requested;
}

export function currentSession() {
  return session;
}

/** A problem of the server, or a request without a response. */
export class Failure extends Error {
  constructor({ status = 0, title, detail = '', errors = [], request_id }, retryAfterS) {
    super(detail || title);
    Object.assign(this, { status, title, errors, requestId: request_id, retryAfterS });
  }
}

/** Continues the session that this tab has stored; returns whether there is one. */
export function resumeSession() {
  const stored = parse(withStorage((storage) => storage.getItem(storageKey())) ?? '');
  if (typeof stored?.token !== 'string') return false;
  session = { ...stored, over: new AbortController() };
  return true;
}

function store({ account, companyKey, token }) {
  withStorage((storage) => storage.setItem(storageKey(), JSON.stringify({ account, companyKey, token })));
}

function unstore() {
  withStorage((storage) => storage.removeItem(storageKey()));
}

/** Servers below different paths of a host have different sessions. */
function storageKey() {
  return `roster ${new URL('.', document.baseURI).pathname}`;
}

/** A browser that blocks storage throws; the session then ends with the page. */
function withStorage(use) {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Starts a new session in place of the current one. */
export async function signIn({ account, password, companyKey }) {
  signOut();
  const mine = { account, companyKey, over: new AbortController() };
  pending = mine;
  try {
    await requestToken(mine, password);
  } finally {
    if (pending === mine) pending = undefined;
  }
  session = mine;
  store(mine);
}

/** Gets a new token for the current session. */
export async function renew(password) {
  const mine = session;
  await requestToken(mine, password);
  store(mine);
}

async function requestToken(mine, password) {
  const { account, over } = mine;
  const init = { method: 'POST', body: JSON.stringify({ email: account, password }), signal: over.signal };
  const { body } = await ask('login', [], { ...init, headers: { 'Content-Type': 'application/json' } });
  // A sign-out meanwhile wins.
  over.signal.throwIfAborted();
  mine.token = body.access_token;
}

export function signOut() {
  unstore();
  suspend();
}

/** Removes the session from memory and ends its requests. */
export function suspend() {
  for (const one of [session, pending]) one?.over.abort();
  session = undefined;
  pending = undefined;
}

/** Sends a request with the session's token; when that has expired, once more after a new sign-in. */
export async function send(path, { query = [], signal, headers, ...rest } = {}) {
  const mine = session;
  const signals = signal ? [mine.over.signal, signal] : [mine.over.signal];
  for (let isLast = false; ; isLast = true) {
    const { token } = mine;
    const init = {
      ...rest,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      signal: AbortSignal.any(signals),
    };
    try {
      return await ask(path, query, init);
    } catch (failure) {
      if (failure.status !== 401 || isLast || mine !== session) throw failure;
      // Concurrent requests share one sign-in.
      if (mine.token === token) {
        unstore();
        mine.renewing ??= onEnded().finally(() => {
          mine.renewing = undefined;
        });
        await mine.renewing;
      }
    }
  }
}

/** Reads the list of people, with the session's company if it has one. */
export function readPeople(options, init) {
  const { companyKey } = session;
  const query = companyKey ? [['companyKey', companyKey], ...options] : options;
  return send('staffmember', { ...init, query });
}

async function ask(path, query, init) {
  const url = new URL(`${document.getElementById('main').dataset.base}/${path}`, document.baseURI).href;
  const { Accept: accept, 'If-Match': version } = init.headers;
  const request = { method: init.method ?? 'GET', url, query, accept, version };
  // The body of a login is a password.
  const isLogin = path === 'login';
  if (!isLogin) request.body = init.body;
  const startMs = performance.now();
  let response;
  let bytes;
  try {
    response = await fetch(addressOf(request), { cache: 'no-store', ...init });
    bytes = await response.arrayBuffer();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure({ title: 'No response', detail: 'The server could not be reached. Try again.' });
  }
  Object.assign(request, { status: response.status, bytes: bytes.byteLength, ms: performance.now() - startMs });
  if (!isLogin) onRequest(request);
  if (response.ok && accept) return { body: new Blob([bytes], { type: accept }), request };
  const body = parse(new TextDecoder().decode(bytes));
  if (response.ok && (body !== undefined || response.status === 204)) {
    return { body, request, version: response.headers.get('ETag'), allow: response.headers.get('Allow') };
  }
  const problem = { title: `The server answered ${response.status}`, ...body, status: response.status };
  throw Object.assign(new Failure(problem, Number(response.headers.get('Retry-After')) || undefined), { request });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
