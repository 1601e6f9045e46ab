import type { RawKeyEntry } from '@rostergate/runtime/keys';
import { type KeyGrants, parseNames } from '@rostergate/runtime/keys-command';

/** What a key of the proxy may do: all that its account may, unless it is narrowed to reads or to some operations. */
export const accountGrants: KeyGrants = {
  options: [
    { flags: '--account <name>', description: 'service account that the key stands for', isNeeded: true },
    {
      flags: '--company <key>',
      description: "company it stands for, where the account serves several (default: the account's)",
    },
    { flags: '--read-only', description: 'the key may only read' },
    { flags: '--allow <operation...>', description: 'all that the key may do, by operationId; may be repeated' },
    { flags: '--deny <operation...>', description: 'what the key may not do, by operationId; may be repeated' },
  ],
  toFields({ account, company, readOnly, allow, deny }) {
    const operations = { ...namesOf('allow', allow), ...namesOf('deny', deny) };
    return {
      account,
      ...(company === undefined ? {} : { company_key: company }),
      ...(readOnly === true ? { read_only: true } : {}),
      ...(Object.keys(operations).length === 0 ? {} : { operations }),
    };
  },
  toJson: ({ account = null, company_key = null, read_only = false, operations = null }) => ({
    account,
    company_key,
    read_only,
    operations,
  }),
  columns: [
    { title: 'ACCOUNT', of: ({ account }) => String(account ?? '') },
    { title: 'MAY', of: describeOperations },
  ],
  keptByRotation: 'owner, account and operations',
};

function namesOf(list: 'allow' | 'deny', given: unknown): Readonly<Record<string, unknown>> {
  return given === undefined ? {} : { [list]: parseNames(given as readonly string[]) };
}

/** `everything`, `read`, or the operations. */
function describeOperations({ read_only, operations }: RawKeyEntry): string {
  const { allow, deny } = (operations ?? {}) as {
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
  };
  if (allow !== undefined) return allow.join(' ');
  const all = read_only === true ? 'read' : 'everything';
  return deny === undefined ? all : `${all} but ${deny.join(' ')}`;
}
