import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { startProxy } from '../proxy-process.ts';
import { companyKey, createPerson, logins } from '../staff/callers.ts';

const key = 'key-of-the-wrong-form';

test('upstream_form=vendor in front of a server of the contract is a 502 that names the setting', async () => {
  const { StaffKey } = await createPerson('scheduling');
  const proxy = await startProxy({
    settings: { upstream_url: inject('servers').urls.scheduling, upstream_form: 'vendor' },
    keysFile: {
      accounts: { admin: { ...logins.admin, company_key: companyKey, admin: true } },
      keys: [{ name: 'ops', owner: 'o', sha256: createHash('sha256').update(key).digest('hex'), account: 'admin' }],
    },
  });
  for (const path of ['', '/payModifier', '/location', '/requestlimit']) {
    const { status, body } = await proxy.callWith(key, `/v2/staffmember/${StaffKey}${path}`);
    expect([path, status, body.code, body.detail]).toEqual([
      path,
      502,
      'upstream_failed',
      expect.stringContaining('set upstream_form to contract instead of vendor'),
    ]);
  }
});
