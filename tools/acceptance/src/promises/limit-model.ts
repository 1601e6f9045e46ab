import type { Reply } from './ask.ts';

const windowMs = 60_000;

/** One request as its caller has seen it: it was counted somewhere between the two. */
export interface Seen {
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly reply: Reply;
}

/** What a caller can know of its own counts, against which each answer's headers are held. */
export interface LimitModel {
  /**
   * What the headers say that cannot be; empty for a true answer.
   * @param limits by name, of the policies it must pass
   */
  check(seen: Seen, limits: Readonly<Record<string, number>>): string[];
}

/** Of one caller, who has one request at a time. */
export function createLimitModel(): LimitModel {
  const countedBy = new Map<string, Seen[]>();
  return {
    check(seen, limits) {
      const { sentMs, receivedMs, reply } = seen;
      const { status, headers, text } = reply;
      const faults: string[] = [];
      const isRefused = status === 429;
      const said = parseItems(headers.ratelimit, ['r', 't']);
      const policies = parseItems(headers['ratelimit-policy'], ['q', 'w']);
      if (String([...policies.keys()]) !== String(Object.keys(limits))) faults.push(`policies ${[...policies.keys()]}`);
      const full: string[] = [];
      let waitS = 0;
      for (const [name, limit] of Object.entries(limits)) {
        const counted = countedBy.get(name) ?? [];
        countedBy.set(name, counted);
        if (!isRefused) counted.push(seen);
        while (counted[0] !== undefined && sentMs - counted[0].receivedMs > windowMs + 1_000) counted.shift();
        const certain = counted.filter((one) => receivedMs - one.sentMs < windowMs);
        const possible = counted.filter((one) => sentMs - one.receivedMs < windowMs + 2);
        const { q, w } = policies.get(name) ?? {};
        if (q !== limit || w !== windowMs / 1_000) faults.push(`${name} is told as ${q} in ${w}`);
        const { r = Number.NaN, t = Number.NaN } = said.get(name) ?? {};
        const [fewest, most] = [limit - possible.length, Math.max(0, limit - certain.length)];
        if (!(r >= fewest && r <= most)) faults.push(`${name} has ${r} left, not ${fewest} to ${most}`);
        const soonest = secondsUntil(possible[0], (one) => one.sentMs - receivedMs);
        const latest = secondsUntil(certain[0] ?? possible[0], (one) => one.receivedMs - sentMs + 2);
        if (!(t >= soonest && t <= Math.max(soonest, latest)))
          faults.push(`${name} is free in ${t} s, not ${soonest} to ${latest}`);
        if (isRefused && r === 0) {
          full.push(name);
          waitS = Math.max(waitS, t);
        }
      }
      if (isRefused) {
        const retryAfter = Number(headers['retry-after']);
        if (full.length === 0) faults.push('refused with some left');
        if (retryAfter !== waitS || retryAfter < 1) faults.push(`Retry-After is ${retryAfter}, not ${waitS}`);
        const { 'violated-policies': violated = [] } = JSON.parse(text);
        if (
          String(violated.map((one: string | { name: string }) => (typeof one === 'string' ? one : one.name))) !==
          String(full)
        ) {
          faults.push(`violated are ${JSON.stringify(violated)}, not ${full}`);
        }
      } else if (headers['retry-after'] !== undefined) faults.push('Retry-After without a refusal');
      return faults;
    },
  };
}

/** In whole seconds, never beyond the window. */
function secondsUntil(oldest: Seen | undefined, ageMs: (one: Seen) => number): number {
  if (oldest === undefined) return 0;
  return Math.min(windowMs / 1_000, Math.max(0, Math.ceil((ageMs(oldest) + windowMs) / 1_000)));
}

/** Items of a structured field by name, with the numbers of their parameters (RFC 9651). */
function parseItems(field: unknown, names: readonly string[]): Map<string, Record<string, number>> {
  const items = String(field ?? '').matchAll(/"([^"]*)"((?:;[a-z]+=\d+)*)/g);
  return new Map(
    [...items].map(([, name = '', parameters = '']) => [
      name,
      Object.fromEntries(names.map((one) => [one, Number(new RegExp(`;${one}=(\\d+)`).exec(parameters)?.[1])])),
    ]),
  );
}
