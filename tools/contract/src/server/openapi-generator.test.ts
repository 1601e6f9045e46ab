import { describe, expect, it } from 'vitest';
import { findJava, parseJavaMajor } from './openapi-generator.ts';

describe('the version of Java', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17],
    ['openjdk version "25" 2025-09-16', 25],
    ['java version "1.8.0_411"', 8],
    ['Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "21.0.3" 2024-04-16', 21],
    ['The operation could not be completed. Unable to locate a Java Runtime.', null],
    ['', null],
  ])('%j is %j', (output, want) => {
    expect(parseJavaMajor(output)).toBe(want);
  });
});

it('reports the fix in one line when JAVA_HOME does not exist', async () => {
  const error: Error = await findJava({ ...process.env, JAVA_HOME: '/nowhere' }).catch((thrown) => thrown);
  expect(error.message).toMatch(/^No Java in \/nowhere\. .*install one .* or point JAVA_HOME at it/);
  expect(error.message).not.toContain('\n');
});

it('reports the fix in one line when there is no Java on PATH', async () => {
  const error: Error = await findJava({ PATH: '/nowhere' }).catch((thrown) => thrown);
  expect(error.message).toMatch(/^No Java on PATH\. .*run `pnpm generate` again\.$/);
});
