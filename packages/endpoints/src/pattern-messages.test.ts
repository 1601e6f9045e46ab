import { document } from '@rostergate/gateway-spec';
import { expect, it } from 'vitest';
import { patternMessages } from './pattern-messages.ts';

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsOf)];
}

it('has words for every pattern that a configuration file is held against, and for no other', () => {
  const schemas = document.components?.schemas as unknown as Record<string, unknown>;
  const names = Object.keys(schemas).filter((name) =>
    /^(Settings|Endpoint(Definition|sFile|Upstream|Contract)|Key)/.test(name),
  );
  const used = names.filter((name) => name !== 'KeyVerdict').flatMap((name) => patternsOf(schemas[name]));
  expect([...new Set(used)].sort()).toEqual(Object.keys(patternMessages).sort());
});
