import type { Reply } from './ask.ts';

const windowMs = 60_000;

/** A request as its client sees it; the server counted it between the two times. */
export interface Seen {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly reply: Reply;
}

/** A client's count of its own requests, to check the headers of each response. */
export interface LimitModel {
  /**
   * Returns the wrong headers of a response; empty if all are right.
   * @param limits the limits of the policies that apply, by name
   */
  check(seen: Seen, limits: Readonly<Record<string, number>>): string[];
}

/** Creates the model of a client with one request at a time. */
export function createLimitModel(): LimitModel {
  const countedBy = new Map<string, Seen[]>();
  return {
    check(seen, limits) {
      const { sentMs, receivedMs, reply } = seen;
      const { status, headers, text } = reply;
      const faults: string[] = [];
      const isRejected = status === 429;
      const stated = parseItems(headers.ratelimit, ['r', 't']);
      const policies = parseItems(headers['ratelimit-policy'], ['q', 'w']);
      if (String([...policies.keys()]) !== String(Object.keys(limits))) faults.push(`policies ${[...policies.keys()]}`);
      const full: string[] = [];
      let waitS = 0;
      for (const [name, limit] of Object.entries(limits)) {
        const counted = countedBy.get(name) ?? [];
        countedBy.set(name, counted);
        if (!isRejected) counted.push(seen);
        while (counted[0] !== undefined && sentMs - counted[0].receivedMs > windowMs + 1_000) counted.shift();
        const certain = counted.filter((one) => receivedMs - one.sentMs < windowMs);
        const possible = counted.filter((one) => sentMs - one.receivedMs < windowMs + 2);
        const { q, w } = policies.get(name) ?? {};
        if (q !== limit || w !== windowMs / 1_000) faults.push(`${name} has the policy ${q} in ${w}`);
        const { r = Number.NaN, t = Number.NaN } = stated.get(name) ?? {};
        const [fewest, most] = [limit - possible.length, Math.max(0, limit - certain.length)];
        if (!(r >= fewest && r <= most)) faults.push(`${name} has ${r} left, not ${fewest} to ${most}`);
        const soonest = secondsUntil(possible[0], (one) => one.sentMs - receivedMs);
        const latest = secondsUntil(certain[0] ?? possible[0], (one) => one.receivedMs - sentMs + 2);
        if (!(t >= soonest && t <= Math.max(soonest, latest)))
          faults.push(`${name} is free in ${t} s, not ${soonest} to ${latest}`);
        if (isRejected && r === 0) {
          full.push(name);
          waitS = Math.max(waitS, t);
        }
      }
      if (isRejected) {
        const retryAfter = Number(headers['retry-after']);
        if (full.length === 0) faults.push('rejected with quota left');
        if (retryAfter !== waitS || retryAfter < 1) faults.push(`Retry-After is ${retryAfter}, not ${waitS}`);
        const { 'violated-policies': violated = [] } = JSON.parse(text);
        if (
          String(violated.map((one: string | { name: string }) => (typeof one === 'string' ? one : one.name))) !==
          String(full)
        ) {
          faults.push(`violated are ${JSON.stringify(violated)}, not ${full}`);
        }
      } else if (headers['retry-after'] !== undefined) faults.push('Retry-After without a rejection');
      return faults;
    },
  };
}

/** Returns whole seconds, at most the window. */
function secondsUntil(oldest: Seen | undefined, ageMs: (one: Seen) => number): number {
  if (oldest === undefined) return 0;
  return Math.min(windowMs / 1_000, Math.max(0, Math.ceil((ageMs(oldest) + windowMs) / 1_000)));
}

/** Returns the items of a structured field (RFC 9651) by name, with their numeric parameters. */
function parseItems(field: unknown, names: readonly string[]): Map<string, Record<string, number>> {
  const items = String(field ?? '').matchAll(/"([^"]*)"((?:;[a-z]+=\d+)*)/g);
  return new Map(
    [...items].map(([, name = '', parameters = '']) => [
      name,
      Object.fromEntries(names.map((one) => [one, Number(new RegExp(`;${one}=(\\d+)`).exec(parameters)?.[1])])),
    ]),
  );
}
