import { type CharacterSet, type Pattern, parsePattern, UnsupportedPattern } from './pattern-tree.ts';

const statesMax = 1_000;

type State =
  | { kind: 'set'; set: CharacterSet; next: number }
  | { kind: 'split'; next: number; other: number }
  | { kind: 'start' | 'end'; next: number }
  | { kind: 'match' };

interface Machine {
  readonly states: readonly State[];
  readonly entry: number;
}

/**
 * Compiles a pattern to a test that takes linear time. All states run in parallel (Thompson's construction), so no
 * pattern can backtrack.
 * Throws SyntaxError for a malformed pattern and UnsupportedPattern for an unsupported one.
 */
export function compilePattern(source: string): (text: string) => boolean {
  const machine = build(parsePattern(source));
  return (text) => run(machine, text, 0, false).matched;
}

/** Returns the offset of the first character, from `from` on, that does not match the pattern. */
export function furthestMatch(source: string, text: string, from: number): number {
  return run(build(parsePattern(source)), text, from, true).furthest;
}

/** Builds the machine from its end, so that each state knows its successor. */
function build(pattern: Pattern): Machine {
  const states: State[] = [{ kind: 'match' }];
  const add = (state: State): number => {
    if (states.length >= statesMax) throw new UnsupportedPattern('a pattern so large');
    return states.push(state) - 1;
  };
  const link = (node: Pattern, next: number): number => {
    switch (node.kind) {
      case 'empty':
        return next;
      case 'set':
        return add({ kind: 'set', set: node.set, next });
      case 'start':
      case 'end':
        return add({ kind: node.kind, next });
      case 'sequence':
        return node.items.reduceRight((after, item) => link(item, after), next);
      case 'choice':
        return node.items
          .map((item) => link(item, next))
          .reduce((other, entry) => add({ kind: 'split', next: entry, other }));
      case 'repeat':
        return repeat(node, next);
    }
  };
  const repeat = ({ item, min, max }: Pattern & { kind: 'repeat' }, next: number): number => {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: State = { kind: 'split', next: 0, other: next };
      entry = add(loop);
      loop.next = link(item, entry);
    } else {
      for (let i = min; i < max; i++) entry = add({ kind: 'split', next: link(item, entry), other: next });
    }
    for (let i = 0; i < min; i++) entry = link(item, entry);
    return entry;
  };
  const entry = link(pattern, 0);
  return { states, entry };
}

/** Runs the machine. If anchored, from `from` as far as possible. Otherwise from any position until it matches. */
function run(
  { states, entry }: Machine,
  text: string,
  from: number,
  anchored: boolean,
): { matched: boolean; furthest: number } {
  const seen = new Int32Array(states.length).fill(-1);
  const stack: number[] = [];
  let current: number[] = [];
  let next: number[] = [];
  let matched = false;
  let furthest = from;
  /** Follows transitions that take no character and adds the states that take one to `into`. */
  const reach = (state: number, at: number, into: number[]): void => {
    furthest = at;
    stack.push(state);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen[id] === at) continue;
      seen[id] = at;
      const node = states[id]!;
      if (node.kind === 'set') into.push(id);
      else if (node.kind === 'match') matched = true;
      else if (node.kind === 'split') stack.push(node.other, node.next);
      else if (at === (node.kind === 'start' ? 0 : text.length)) stack.push(node.next);
    }
  };
  reach(entry, from, current);
  for (let at = from; at < text.length && (anchored ? current.length > 0 : !matched); ) {
    const code = text.codePointAt(at)!;
    at += code > 0xffff ? 2 : 1;
    for (const id of current) {
      const { set, next: after } = states[id] as State & { kind: 'set' };
      if (includes(set, code)) reach(after, at, next);
    }
    if (!anchored) reach(entry, at, next);
    [current, next] = [next, current];
    next.length = 0;
  }
  return { matched, furthest };
}

function includes({ ranges, negated }: CharacterSet, code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return !negated;
  return negated;
}
