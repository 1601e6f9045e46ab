import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { demoCompanyKey } from '../../../apps/scheduling/src/demo/random.ts';
import { createDemoCredentials, type DemoCredentials } from '../../workspace/demo-credentials.mjs';

/** An admin of another demo company, for the tests of the separation of companies. */
export interface OtherCompany {
  readonly email: string;
  readonly password: string;
  readonly companyKey: string;
  readonly proxyKey: string;
}

/** Adds the account to the files of the servers before they start. */
export async function addOtherCompany(
  credentials: DemoCredentials,
  env: Readonly<Record<string, string>>,
): Promise<OtherCompany> {
  const otherCompany: OtherCompany = {
    email: 'admin@other.example',
    password: credentials.SCHEDULING_ADMIN_PASSWORD,
    companyKey: demoCompanyKey(1),
    proxyKey: createDemoCredentials().STAFF_PROXY_KEY,
  };
  const { email, password, companyKey: company_key, proxyKey } = otherCompany;
  await edit(env.ROSTERGATE_SCHEDULING_ACCOUNTS_FILE, (accounts) => {
    const admin = accounts.find((each: { email: string }) => each.email === credentials.SCHEDULING_ADMIN_EMAIL);
    accounts.push({ ...admin, email, company_key });
  });
  await edit(env.ROSTERGATE_PROXY_KEYS_FILE, ({ accounts, keys }) => {
    accounts['other-company'] = { email, password, company_key, admin: true };
    const sha256 = createHash('sha256').update(proxyKey).digest('hex');
    keys.push({ name: 'other-company', owner: 'other', sha256, account: 'other-company' });
  });
  return otherCompany;
}

// biome-ignore lint/suspicious/noExplicitAny: the servers validate the files.
async function edit(file = '', change: (content: any) => void): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8'));
  change(content);
  await writeFile(file, JSON.stringify(content));
}
