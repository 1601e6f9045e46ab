import { expect, it } from 'vitest';
import { createProblemDocument, createValidationProblem, Problem } from './index.ts';

const sizeOf = (problem: Problem, instance = '/a') =>
  Buffer.byteLength(JSON.stringify(createProblemDocument(problem, 'id', instance)));

it('lists at most 20 faults and reports that there are more', () => {
  const faults = Array.from({ length: 100_000 }, (_, i) => ({ pointer: `/${i}`, detail: 'must be string' }));
  const problem = createValidationProblem(faults);
  expect(problem.errors).toEqual(faults.slice(0, 20));
  expect(problem.detail).toBe('Correct the first 20 faults, listed in errors, and send the request again.');
  expect(createValidationProblem(faults.slice(0, 19)).detail).toBe(
    'Correct the faults listed in errors and send the request again.',
  );
});

it.each([
  ['a long name in ASCII', 'x'.repeat(1_000_000)],
  ['a long name of characters that JSON escapes', '\u0001'.repeat(1_000_000)],
  ['a long name of three-byte characters', '€'.repeat(1_000_000)],
  ['an unpaired surrogate at the cut', `${'x'.repeat(498)}${'😀'.repeat(9)}`],
])('limits a problem document to 16 KiB for %s', (_, text) => {
  const faults = Array.from({ length: 20 }, () => ({ pointer: `/${text}`, detail: text }));
  expect(sizeOf(createValidationProblem(faults))).toBeLessThanOrEqual(16 * 1024);
  expect(createValidationProblem(faults).errors.length).toBeGreaterThan(0);
  expect(createValidationProblem(faults).errors.every(({ detail }) => detail.isWellFormed())).toBe(true);
  expect(
    sizeOf(new Problem('malformed_request', text.replaceAll('\u0001', 'é'), { errors: faults }), `/${text}`),
  ).toBeLessThanOrEqual(16 * 1024);
});
