import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));

test.each(['staff-client', 'gateway-client', 'admin-client'])('every export of %s has a comment', (name) => {
  const files = globSync(`${name}/src/**/*.ts`, { cwd: packages }).filter((file) => !/\.test(-d)?\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(5);
  const undocumented = files.flatMap((file) => {
    const lines = readFileSync(`${packages}/${file}`, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const [, declared] = /^export (?:async )?(?:const|function|interface|type|class) (\w+)/.exec(line) ?? [];
      // The comment of overloads is above the first one.
      const isDocumented = /\*\/$/.test(lines[i - 1] ?? '') || lines[i - 1]?.startsWith(`export function ${declared}(`);
      return declared === undefined || isDocumented ? [] : [`${file}: ${declared}`];
    });
  });
  expect(undocumented).toEqual([]);
});
