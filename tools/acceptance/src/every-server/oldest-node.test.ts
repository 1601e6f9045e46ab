import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}
const root = resolve(import.meta.dirname, '../../../..');
const readManifest = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

/** Returns the lowest version of `>=22.19` as numbers; for `^20 || >=22` that of the last part. */
function leastOf(range = ''): [major: number, minor: number] {
  const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?[^|]*$/.exec(range) ?? [];
  return [Number(major), Number(minor)];
}

const packages = globSync('{apps,packages}/*/package.json', { cwd: root })
  .map((file) => ({ file: join(root, file), manifest: readManifest(join(root, file)) }))
  .filter(({ manifest }) => manifest.private !== true && manifest.engines !== undefined);

describe.each(packages)('$manifest.name', ({ file, manifest }) => {
  test('requires a Node version that its dependencies support', () => {
    const [major, minor] = leastOf(manifest.engines?.node);
    const unfit = Object.keys(manifest.dependencies ?? {}).flatMap((name) => {
      const found = findPackageJSON(name, pathToFileURL(file));
      const range = found === undefined ? undefined : readManifest(found).engines?.node;
      const [least, leastMinor] = leastOf(range);
      return least > major || (least === major && leastMinor > minor) ? [`${name} requires ${range}`] : [];
    });
    expect(unfit).toEqual([]);
  });
});

describe.each(['gateway', 'staff-proxy', 'scheduling'])('the command of %s', (app) => {
  const { engines } = readManifest(join(root, `apps/${app}/package.json`));
  const [major, minor] = leastOf(engines?.node);
  const runAs = async (version: string) => {
    const fake = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
    const args = ['--conditions=source', '--import', fake, join(root, `apps/${app}/src/main.ts`), '--version'];
    return promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
    );
  };

  test('starts on the oldest Node of its package, and names the required version on an older one', async () => {
    expect(await runAs(`${major}.${minor}.0`)).toMatchObject({ code: 0 });
    const { code, text } = await runAs(`${major}.${minor - 1}.9`);
    expect(code).toBe(3);
    expect(text).toMatch(
      new RegExp(`Node ${major}\\.${minor - 1}\\.9 is too old: ${major}\\.${minor} or later is needed`),
    );
  });
});
