import type { ArithmeticOperator } from './ast.ts';
import type { Share } from './sql-dialect.ts';

/**
 * PostgreSQL fails the whole statement where a double overflows or underflows to zero. Each operation is tested before
 * it runs, by tests that are exact: they scale by powers of two, subtract what lies within a factor of two, and where a
 * product comes down to its last bits, they multiply whole numbers.
 * No part of a test that rests on one operand can itself overflow, since the planner computes such parts of constants.
 */
export function postgresArithmetic(
  operator: ArithmeticOperator,
  a: string,
  b: string,
  { whole, infinite, share }: { readonly whole: boolean; readonly infinite: boolean; readonly share: Share },
): string {
  const result = share([a, b], (x, y) => {
    switch (operator) {
      case 'add':
        return sum(x, y, `${x} + ${y}`, infinite);
      case 'sub':
        return sum(x, `(-${y})`, `${x} - ${y}`, infinite);
      case 'mul':
        return product(x, y, infinite);
      case 'div':
        return whole ? `trunc(${quotient(x, y, infinite)})` : quotient(x, y, infinite);
      case 'divby':
        return quotient(x, y, infinite);
      case 'mod':
        return share([`trunc(${quotient(x, y, false)})`], (q) =>
          share([`(${product(y, q, false)})`], (p) => `${x} - ${p}`),
        );
    }
  });
  const number = `nullif(${result}, 'NaN')`;
  return infinite ? number : `nullif(nullif(${number}, 'Infinity'), '-Infinity')`;
}

const double = (value: number): string => `'${value}'::double precision`;
const power = (exponent: number): string => double(2 ** exponent);
const one = double(1);
const belowOne = double(1 - 2 ** -53);
/** The largest double below 2^-51, so that 2^1075 times it is still one. */
const tiny = double(2 ** -51 - 2 ** -104);

const overflow = (isNegative: string, infinite: boolean): string =>
  infinite ? `CASE WHEN ${isNegative} THEN ${double(-Infinity)} ELSE ${double(Infinity)} END` : 'NULL';

/** `plain` is the sum of `x` and `y` as it is computed where it does not overflow. */
function sum(x: string, y: string, plain: string, infinite: boolean): string {
  const [ax, ay] = [`abs(${x})`, `abs(${y})`];
  const beyond = `least(${ax}, ${ay}) + (greatest(${ax}, ${ay}) - ${double(Number.MAX_VALUE)}) >= ${power(970)}`;
  return (
    `(CASE WHEN sign(${x}) = sign(${y}) AND ${beyond} THEN ${overflow(`${x} < 0`, infinite)} ` + `ELSE ${plain} END)`
  );
}

function product(x: string, y: string, infinite: boolean): string {
  const [ax, ay] = [`abs(${x})`, `abs(${y})`];
  const scaled = (operand: string) => `(greatest(${operand}, ${one}) * ${power(-512)})`;
  const [u, v] = [ax, ay].map((operand) => `(least(${operand}, ${one}) * ${power(500)})`) as [string, string];
  return (
    `(CASE WHEN ${scaled(ax)} * ${scaled(ay)} >= ${one} AND ${x} <> 0 AND ${y} <> 0 ` +
    `THEN ${overflow(`(${x} < 0) <> (${y} < 0)`, infinite)} ` +
    `WHEN ${ax} >= ${one} OR ${ay} >= ${one} OR ${x} = 0 OR ${y} = 0 THEN ${x} * ${y} ` +
    `WHEN ${ax} < ${power(-538)} AND ${ay} < ${power(-538)} THEN 0 ` +
    `WHEN ${u} * ${v} < ${power(-75)} OR ${u} * ${v} = ${power(-75)} ` +
    `AND ${mantissa(u)} * ${mantissa(v)} <= ${2n ** 105n} THEN 0 ELSE ${x} * ${y} END)`
  );
}

/** The 53 bits of a number that is not subnormal. Two of them round to a power of two only next to 2^104 and 2^105. */
const mantissa = (x: string): string =>
  `((('x' || encode(float8send(${x}), 'hex'))::bit(64)::bigint & ${2n ** 52n - 1n}) + ${2n ** 52n})::numeric`;

/** A divisor of zero gives null. */
function quotient(x: string, y: string, infinite: boolean): string {
  const [ax, ay] = [`abs(${x})`, `abs(${y})`];
  const small = `least(${ay}, ${belowOne})`;
  return (
    `(CASE WHEN ${y} = 0 THEN NULL ` +
    `WHEN ${ay} < ${one} AND ${small} * ${power(1000)} * ${power(24)} - ${ax} <= ${small} * ${power(970)} ` +
    `THEN ${overflow(`(${x} < 0) <> (${y} < 0)`, infinite)} ` +
    `WHEN ${x} <> 0 AND ${ax} <= ${tiny} AND least(${ax}, ${tiny}) * ${power(1000)} * ${power(75)} <= ${ay} THEN 0 ` +
    `ELSE ${x} / nullif(${y}, 0) END)`
  );
}
