import { addressOf } from './roster-query.js';

/** Who is signed in, in this variable and nowhere else. */
let session;
let onEnded;
let onRequest;
let signingInAgain;

/** `ended` brings a new sign-in, or gives up; `requested` is told of each answer. */
export function startSession({ ended, requested }) {
  onEnded = ended;
  onRequest = requested;
}

export function currentSession() {
  return session;
}

/** What the server refused, in its own words, or what kept it from answering. */
export class Failure extends Error {
  constructor({ status = 0, title, detail = '', errors = [], request_id }, retryAfterS) {
    super(detail || title);
    Object.assign(this, { status, title, errors, requestId: request_id, retryAfterS });
  }
}

export async function signIn({ account, password, companyKey }) {
  const init = { method: 'POST', body: JSON.stringify({ email: account, password }) };
  const { body } = await ask('login', [], { ...init, headers: { 'Content-Type': 'application/json' } });
  if (session === undefined) session = { account, companyKey, over: new AbortController() };
  session.token = body.access_token;
}

export function signOut() {
  session?.over.abort();
  session = undefined;
  signingInAgain = undefined;
}

/** Reads something as whoever is signed in; when that has ended, once more after a new sign-in. */
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
      // Several requests may learn of it: one sign-in is for all.
      if (mine.token === token) {
        signingInAgain ??= onEnded().finally(() => {
          signingInAgain = undefined;
        });
        await signingInAgain;
      }
    }
  }
}

/** The list of people takes the company along where there is one to name. */
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
    throw new Failure({ title: 'No answer', detail: 'The server could not be reached. Try again.' });
  }
  Object.assign(request, { status: response.status, bytes: bytes.byteLength, ms: performance.now() - startMs });
  if (request.method === 'GET') onRequest(request);
  const body = parse(new TextDecoder().decode(bytes));
  if (response.ok && body !== undefined) return { body, request };
  const told = { title: `The server answered ${response.status}`, ...body, status: response.status };
  throw Object.assign(new Failure(told, Number(response.headers.get('Retry-After')) || undefined), { request });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
