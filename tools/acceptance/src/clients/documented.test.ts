import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));

test.each(['staff-client', 'gateway-client'])('every export of %s says what it is', (name) => {
  const files = globSync(`${name}/src/**/*.ts`, { cwd: packages }).filter((file) => !/\.test(-d)?\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(5);
  const silent = files.flatMap((file) => {
    const lines = readFileSync(`${packages}/${file}`, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const [, declared] = /^export (?:async )?(?:const|function|interface|type|class) (\w+)/.exec(line) ?? [];
      // An overload stands below the one that tells of all.
      const isTold = /\*\/$/.test(lines[i - 1] ?? '') || lines[i - 1]?.startsWith(`export function ${declared}(`);
      return declared === undefined || isTold ? [] : [`${file}: ${declared}`];
    });
  });
  expect(silent).toEqual([]);
});
