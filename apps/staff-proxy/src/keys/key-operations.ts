import { didYouMean } from '@rostergate/runtime/config';
import type { Operation } from '@rostergate/runtime/contract';
import { proxyDocument } from '@rostergate/staff-spec';
import { securedOperations } from '../secured-operations.ts';
import type { KeyEntry } from './keys-file-schema.ts';

/** A fault in what a key says of operations, with its place in the entry. */
export interface OperationFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

type Entry = Pick<KeyEntry, 'read_only' | 'operations'>;

/** Every operation that a key can be given or denied, by operationId. */
const grantable: ReadonlyMap<string, Operation> = new Map(
  securedOperations(proxyDocument).map((operation) => [operation.operationId, operation]),
);

/** What a key may not do, by operationId; undefined when that is nothing. */
export function forbiddenOperations({ read_only, operations = {} }: Entry): ReadonlySet<string> | undefined {
  const { allow, deny = [] } = operations;
  const forbidden = [...grantable.values()].filter(
    ({ operationId, method }) =>
      (read_only && method !== 'get') || deny.includes(operationId) || allow?.includes(operationId) === false,
  );
  return forbidden.length === 0 ? undefined : new Set(forbidden.map(({ operationId }) => operationId));
}

/** What cannot be meant: names that no operation has, both lists at once or neither, a write of a key that only reads. */
export function checkKeyOperations({ read_only, operations }: Entry): readonly OperationFault[] {
  if (operations === undefined) return [];
  const { allow, deny } = operations;
  if ((allow === undefined) === (deny === undefined)) {
    return [
      { path: ['operations'], detail: 'Give either allow or deny: all that the key may do, or what it may not.' },
    ];
  }
  return (['allow', 'deny'] as const).flatMap((list) =>
    (operations[list] ?? []).flatMap((id, i) => {
      const path = ['operations', list, i];
      const operation = grantable.get(id);
      if (operation === undefined) {
        const guess = didYouMean(id, [...grantable.keys()]);
        return [{ path, detail: `There is no operation of that name.${guess || ' /openapi.json has all of them.'}` }];
      }
      const isDead = list === 'allow' && read_only && operation.method !== 'get';
      return isDead ? [{ path, detail: 'It writes, and the key is read_only: take one of the two out.' }] : [];
    }),
  );
}
