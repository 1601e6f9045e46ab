import type { BoundCall, BoundConstant, BoundFunction, Value } from './bound-ast.ts';
import { compilePattern } from './pattern.ts';
import { indexOfText, substring, textLength } from './text.ts';

type CanonicalFunction = (a: Value, b?: Value, c?: Value) => Value;

/** The function that a call names; its arguments are never null. */
export function canonicalFunction({ name, arguments: args }: BoundCall): CanonicalFunction {
  if (name !== 'matchespattern') return functions[name];
  const matches = compilePattern((args[1] as BoundConstant).value as string);
  return (text) => matches(text as string);
}

/** Binding has checked the types of the arguments. */
const define = (run: (a: never, b: never, c: never) => Value): CanonicalFunction => run as never;
const clockAt = (moment: string): number => (moment.charAt(10) === 'T' ? 11 : 0);

const functions: Record<Exclude<BoundFunction, 'matchespattern'>, (a: Value, b?: Value, c?: Value) => Value> = {
  concat: define((a: string, b: string) => a + b),
  contains: define((a: string, b: string) => a.includes(b)),
  endswith: define((a: string, b: string) => a.endsWith(b)),
  startswith: define((a: string, b: string) => a.startsWith(b)),
  indexof: define(indexOfText),
  length: define(textLength),
  substring: define(substring),
  tolower: define((a: string) => a.toLowerCase()),
  toupper: define((a: string) => a.toUpperCase()),
  trim: define((a: string) => a.trim()),
  year: define((a: string) => Number(a.slice(0, 4))),
  month: define((a: string) => Number(a.slice(5, 7))),
  day: define((a: string) => Number(a.slice(8, 10))),
  hour: define((a: string) => Number(a.slice(clockAt(a), clockAt(a) + 2))),
  minute: define((a: string) => Number(a.slice(clockAt(a) + 3, clockAt(a) + 5))),
  second: define((a: string) => Number(a.slice(clockAt(a) + 6, clockAt(a) + 8))),
  fractionalseconds: define((a: string) => Number(`0${a.slice(clockAt(a) + 8)}`)),
  date: define((a: string) => a.slice(0, 10)),
  time: define((a: string) => a.slice(11)),
  totalseconds: define((a: number) => a),
  round: define(roundHalfAway),
  floor: define(Math.floor),
  ceiling: define(Math.ceil),
  text: define(String),
  double: define(Number),
};

/** Half away from zero, computed as SQLite does; from 2^52 on every double is whole. */
function roundHalfAway(value: number): number {
  if (Math.abs(value) >= 2 ** 52) return value;
  return Math.trunc(value + (value < 0 ? -0.5 : 0.5));
}
