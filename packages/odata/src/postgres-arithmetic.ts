import type { ArithmeticOperator } from './ast.ts';
import type { Share } from './sql-dialect.ts';

/**
 * Writes an arithmetic operation for PostgreSQL, which fails the whole statement when a double overflows or underflows
 * to zero. Each operation is tested before it runs. The tests are exact: they scale by powers of two, subtract numbers
 * within a factor of two, and multiply whole numbers when a product depends on its last bits.
 * No part of a test with one operand can overflow, because the planner computes such parts of constants.
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
/** The largest double below 2^-51, so that 2^1075 times it is finite. */
const tiny = double(2 ** -51 - 2 ** -104);

const overflow = (isNegative: string, infinite: boolean): string =>
  infinite ? `CASE WHEN ${isNegative} THEN ${double(-Infinity)} ELSE ${double(Infinity)} END` : 'NULL';

/** Writes a sum. `plain` is the sum of `x` and `y` when it does not overflow. */
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

/** Writes the 53-bit mantissa of a normal number. Products of two round to a power of two only near 2^104 and 2^105. */
const mantissa = (x: string): string =>
  `((('x' || encode(float8send(${x}), 'hex'))::bit(64)::bigint & ${2n ** 52n - 1n}) + ${2n ** 52n})::numeric`;

/** Writes a quotient. A divisor of zero gives null. */
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
