import type { ContractRouter } from '@rostergate/server';
import { rootPath } from './root-url.ts';

/** Returns a router that also serves the keys of people in parentheses, as `StaffMembers('S-1')`. */
export function withKeysInParentheses(router: ContractRouter): ContractRouter {
  const serve: Serve = (req, res, next) => {
    req.url = keyAsSegment(req.url);
    router(req, res, next);
  };
  return Object.assign(serve, router);
}

type Serve = (...args: Parameters<ContractRouter>) => void;

const set = `${rootPath}StaffMembers`;
const parentheses = /^(?:\(|%28)([^/?]*)(?:\)|%29)(?=\?|$)/;
/** The key alone or with its name; a quote within is doubled (OData URL conventions 4.01, section 4.3.1). */
const literal = /^(?:StaffKey=)?'((?:[^']|'')+)'$/s;

/**
 * Returns a URL of the root whose key is in parentheses with the key as a path segment, and any other URL unchanged. The
 * key `$count` has no such segment, so it stays and is not found.
 */
export function keyAsSegment(url: string): string {
  if (!url.startsWith(set)) return url;
  const found = parentheses.exec(url.slice(set.length));
  if (found === null) return url;
  const key = literal.exec(decode(found[1] as string))?.[1]?.replaceAll("''", "'");
  if (key === undefined || key === '$count') return url;
  return `${set}/${encodeURIComponent(key)}${url.slice(set.length + found[0].length)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
