import { describe, expect, it } from 'vitest';
import { pageAssets } from '../../../packages/pages/src/page-asset.ts';
import { bundledPackages, describeRejected, emitLicensesDoc, isAllowed } from './licenses.ts';

const of = (license: string) => ({ name: 'a', version: '1.0.0', license });

describe('isAllowed', () => {
  it.each(['MIT', '(MIT OR GPL-3.0)', 'GPL-2.0 OR ISC', 'MIT AND BSD-3-Clause', ' Apache-2.0 '])(
    'allows %s',
    (license) => {
      expect(isAllowed(license)).toBe(true);
    },
  );

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', 'Unknown', '', 'SEE LICENSE IN LICENSE', '(MIT AND (GPL-3.0 OR ISC))', 'mit'])(
    'rejects %j',
    (license) => {
      expect(isAllowed(license)).toBe(false);
    },
  );
});

describe('describeRejected', () => {
  it('names each package under a license that is not allowed, and the remedy', () => {
    expect(describeRejected([of('MIT'), of('AGPL-3.0')])).toMatch(
      /^Under licenses .*\n {2}a 1\.0\.0: AGPL-3\.0\nRemove them/,
    );
    expect(describeRejected([of('MIT')])).toBeUndefined();
  });
});

describe('emitLicensesDoc', () => {
  it('lists every package, and the licenses by number of packages', () => {
    const doc = emitLicensesDoc([of('ISC'), { ...of('MIT'), name: 'b' }, { ...of('MIT'), name: 'c' }]);
    expect(doc.split('\n').filter((line) => /^\| (?!-)/.test(line))).toEqual([
      '| license | packages |',
      '| MIT | 2 |',
      '| ISC | 1 |',
      '| package | version | license |',
      '| a | 1.0.0 | ISC |',
      '| b | 1.0.0 | MIT |',
      '| c | 1.0.0 | MIT |',
    ]);
  });
});

describe('bundledPackages', () => {
  it('are the packages whose files the pages contain', () => {
    const assets: readonly { packagePath?: string }[] = Object.values(pageAssets).flatMap((page) =>
      Object.values(page),
    );
    const names = assets.flatMap(({ packagePath }) => packagePath?.split('/', 1) ?? []);
    expect([...new Set(names)].sort()).toEqual(bundledPackages);
  });
});
