import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { toFigure } from '../../benchmark/src/figure.ts';
import { askOnce, type Reply } from '../src/promises/ask.ts';
import { definePromise } from '../src/promises/define-promise.ts';
import { createLimitModel } from '../src/promises/limit-model.ts';
import { fixedEndpoint } from '../src/promises/live-edits.ts';
import { goodKey, spawnGateway } from '../src/spawn-gateway.ts';

const limits = { default: 60, keyed: 300, endpoint: 20, overWorkers: 1_200, auxiliary: 600 };

const paths = [
  '/endpoints',
  '/narrow',
  '/nowhere',
  '/endpoints?undeclared=1',
  '/narrow',
  '/auth/status',
  '/openapi.json',
];

/** Returns the limit of each policy that applies to a path. */
function policiesOf(path: string, limit: number): Readonly<Record<string, number>> {
  if (path === '/openapi.json') return { auxiliary: limits.auxiliary };
  return path === '/narrow' ? { default: limit, endpoint: limits.endpoint } : { default: limit };
}

interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly pauseMs: number;
  /** Used in turn, so that requests reach several workers. */
  readonly connections: number;
}

const unhurried = { pauseMs: 25, connections: 1 };
const callers: readonly Caller[] = [
  { ...unhurried, headers: {}, limit: limits.default },
  { ...unhurried, headers: { 'X-Forwarded-For': '203.0.113.9' }, limit: limits.default },
  // From its own address, because the auxiliary quota is per address.
  { ...unhurried, headers: { 'X-API-Key': goodKey, 'X-Forwarded-For': '203.0.113.10' }, limit: limits.keyed },
];
/** A caller whose connections reach both workers. */
const callerOfWorkers = {
  ...{ headers: { 'X-API-Key': goodKey }, limit: limits.overWorkers },
  ...{ pauseMs: 3, connections: 4 },
};

export const promise = definePromise({
  number: 14,
  title: 'Response headers are true',
  done: 'Clients compare what each response states about limits, length, type and id with their own count; one of them uses two workers',
  target: '0 mismatches',
  async run({ byScale, atEnd, say }) {
    const settings = { rate_limit_enabled: true, trusted_proxies: ['127.0.0.1'], log_sample_every: 100_000 };
    const endpoints = [{ ...fixedEndpoint('x', '/narrow'), rate_limit_per_minute: limits.endpoint }];
    const gateway = await spawnGateway({ settings, endpoints }, atEnd);
    const overWorkers = { ...settings, workers: 2, rate_limit_per_minute_authenticated: limits.overWorkers };
    const shared = await spawnGateway({ settings: overWorkers, endpoints }, atEnd);
    const endMs = performance.now() + byScale({ ci: 15_000, full: 135_000 });
    const rejectsMin = byScale({ ci: 20, full: 100 });
    const ofWorkers = watch(callerOfWorkers, shared.url, { endMs, rejectsMin });
    const ofOne = callers.map((caller) => watch(caller, gateway.url, { endMs }));
    const found = await Promise.all([...ofOne, ofWorkers]);
    const mismatches = found.flatMap(({ faults }) => faults);
    const total = (what: 'responses' | 'rejected') => found.reduce((sum, one) => sum + one[what], 0);
    say(`${total('rejected')} of ${total('responses')} rejected`);
    return [
      toFigure({ name: 'mismatches', unit: '', max: 0 }, mismatches.length, mismatches.slice(0, 3).join('; ')),
      toFigure({ name: 'responses', unit: '', min: byScale({ ci: 100, full: 3_000 }) }, total('responses')),
      toFigure({ name: 'rejected', unit: '', min: rejectsMin }, total('rejected')),
      toFigure({ name: 'of them with two workers', unit: '', min: rejectsMin }, (await ofWorkers).rejected),
    ];
  },
});

interface Duration {
  readonly endMs: number;
  /** The caller goes on until so many of its requests were rejected, for up to a minute more. */
  readonly rejectsMin?: number;
}

async function watch(
  { headers, limit, pauseMs, connections }: Caller,
  url: string,
  { endMs, rejectsMin = 0 }: Duration,
) {
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const model = createLimitModel();
  const faults: string[] = [];
  let [responses, rejected] = [0, 0];
  const isOver = () => performance.now() >= (rejected < rejectsMin ? endMs + 60_000 : endMs);
  for (let n = 0; !isOver(); n++) {
    const path = paths[n % paths.length] as string;
    const sentMs = performance.now();
    const reply = await askOnce(url + path, { agent: agents[n % connections] as Agent, headers });
    const receivedMs = performance.now();
    responses++;
    if (reply.status === 429) rejected++;
    const wrong = [...model.check({ sentMs, receivedMs, reply }, policiesOf(path, limit)), ...bodyFaults(reply)];
    if (wrong.length > 0) faults.push(`${reply.status} ${path}: ${wrong.join(', ')}`);
    await wait(pauseMs);
  }
  for (const agent of agents) agent.destroy();
  return { faults, responses, rejected };
}

/** Returns the headers that contradict the body. */
function bodyFaults({ status, headers, text }: Reply): string[] {
  const faults: string[] = [];
  const length = headers['content-length'];
  if (length !== undefined && Number(length) !== Buffer.byteLength(text)) faults.push(`a length of ${length}`);
  const isProblem = headers['content-type'] === 'application/problem+json';
  if (isProblem !== status >= 400) faults.push(`a ${status} of ${headers['content-type']}`);
  const body = JSON.parse(text);
  if (isProblem && (body.status !== status || body.request_id !== headers['x-request-id'])) faults.push('another id');
  return faults;
}
