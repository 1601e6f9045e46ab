import { addressOf } from './roster-query.js';

/** The session with its token, stored only in this variable. */
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
}

/** Gets a new token for the current session. */
export async function renew(password) {
  await requestToken(session, password);
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
  for (const one of [session, pending]) one?.over.abort();
  session = undefined;
  pending = undefined;
}

/** Sends a GET with the session's token; when that has expired, once more after a new sign-in. */
export async function read(path, query, signal) {
  const mine = session;
  const signals = signal ? [mine.over.signal, signal] : [mine.over.signal];
  for (let isLast = false; ; isLast = true) {
    const { token } = mine;
    const init = { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.any(signals) };
    try {
      return await ask(path, query, init);
    } catch (failure) {
      if (failure.status !== 401 || isLast || mine !== session) throw failure;
      // Concurrent requests share one sign-in.
      if (mine.token === token) {
        mine.renewing ??= onEnded().finally(() => {
          mine.renewing = undefined;
        });
        await mine.renewing;
      }
    }
  }
}

/** Reads the list of people, with the session's company if it has one. */
export function readPeople(options, signal) {
  const { companyKey } = session;
  return read('staffmember', companyKey ? [['companyKey', companyKey], ...options] : options, signal);
}

async function ask(path, query, init) {
  const url = new URL(`${document.getElementById('main').dataset.base}/${path}`, document.baseURI).href;
  const request = { method: init.method ?? 'GET', url, query };
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
  if (request.method === 'GET') onRequest(request);
  const body = parse(new TextDecoder().decode(bytes));
  if (response.ok && body !== undefined) return { body, request };
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
