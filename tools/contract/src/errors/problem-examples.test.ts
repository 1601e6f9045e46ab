import { readFileSync } from 'node:fs';
import { problems } from '@rostergate/runtime/problem';
import { expect, it } from 'vitest';

type Example = Readonly<Record<'code' | 'type' | 'title' | 'status' | 'kind', unknown>>;

/** Every example of a problem that stands anywhere in a document. */
function problemExamplesIn(value: unknown): Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const { 'application/problem+json': problem } = value as Record<string, { readonly example?: Example }>;
  const found = problem?.example === undefined ? [] : [problem.example];
  return [...found, ...Object.values(value).flatMap(problemExamplesIn)];
}

it.each(['gateway', 'staff'])('shows in the %s contract only problems that the servers can answer with', (name) => {
  const document = new URL(`../../../../specs/${name}/gen/openapi.json`, import.meta.url);
  const examples = problemExamplesIn(JSON.parse(readFileSync(document, 'utf8')));
  expect(examples.length).toBeGreaterThan(5);
  const registered = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
  for (const { code, type, title, status, kind } of examples) {
    expect({ code, title, status, kind }).toEqual({ code, ...problems[code as keyof typeof problems] });
    expect(type).toBe(code === 'limit_exceeded' ? registered : `urn:rostergate:problem:${code}`);
  }
});
