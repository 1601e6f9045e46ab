import type { Operation } from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
import { proxyDocument } from '@rostergate/staff-spec';
import { securedOperations } from '../operations.ts';
import type { KeyEntry } from './keys-file-schema.ts';

/** A fault in the operations of a key, with its place in the entry. */
export interface OperationFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

type Entry = Pick<KeyEntry, 'read_only' | 'operations'>;

/** The operations that a key can allow or deny, by operationId. */
const grantable: ReadonlyMap<string, Operation> = new Map(
  securedOperations(proxyDocument).map((operation) => [operation.operationId, operation]),
);

/** Returns the operationIds that a key must not call; undefined for none. */
export function forbiddenOperations({ read_only, operations = {} }: Entry): ReadonlySet<string> | undefined {
  const { allow, deny = [] } = operations;
  const forbidden = [...grantable.values()].filter(
    ({ operationId, method }) =>
      (read_only && method !== 'get') || deny.includes(operationId) || allow?.includes(operationId) === false,
  );
  return forbidden.length === 0 ? undefined : new Set(forbidden.map(({ operationId }) => operationId));
}

/** Returns the faults: unknown names, both lists or neither, a write allowed to a read-only key. */
export function checkKeyOperations({ read_only, operations }: Entry): readonly OperationFault[] {
  if (operations === undefined) return [];
  const { allow, deny } = operations;
  if ((allow === undefined) === (deny === undefined)) {
    return [{ path: ['operations'], detail: 'Give either allow or deny.' }];
  }
  return (['allow', 'deny'] as const).flatMap((list) =>
    (operations[list] ?? []).flatMap((id, i) => {
      const path = ['operations', list, i];
      const operation = grantable.get(id);
      if (operation === undefined) {
        const guess = didYouMean(id, [...grantable.keys()]);
        return [{ path, detail: `There is no operation of that name.${guess || ' /openapi.json lists them.'}` }];
      }
      const isDead = list === 'allow' && read_only && operation.method !== 'get';
      return isDead
        ? [{ path, detail: 'This operation writes, but the key is read_only: remove one of the two.' }]
        : [];
    }),
  );
}
