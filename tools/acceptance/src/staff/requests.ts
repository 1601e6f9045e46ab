import { operations } from '@rostergate/staff-server';
import { type OpenApiDocument, schedulingDocument } from '@rostergate/staff-spec';

/** A valid request of an operation on people, except for the keys in its path. */
export interface StaffRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly isWrite: boolean;
}

/** The bodies of the operations that have one. */
const bodies: Readonly<Record<string, unknown>> = {
  createStaffMember: { StaffId: 'never-stored' },
  updateStaffMember: { Fte: 0.5 },
  addStaffTag: { category: 'Team', name: 'Blue' },
  addStaffLocationTag: { categoryName: 'Team', tagName: 'Blue' },
  setStaffSkillset: { IsSkilledMon: true },
  setStaffProfile: { IsViewable: true },
  createPayModifier: { StartDate: '2026-01-01T00:00:00' },
  updatePayModifier: { EndDate: '2026-12-31T00:00:00' },
  setStaffManager: { IsClearManagerId: true },
};

/** Keys for the paths of requests, by the names of their parameters. */
export type PathKeys = Readonly<Record<'staff_key', string>> & Readonly<Record<string, string>>;

/** Returns one request for each of the 18 operations on a person, with unknown keys for the other parts. */
export function createRequests(keys: string | PathKeys): StaffRequest[] {
  const known: Readonly<Record<string, string>> = typeof keys === 'string' ? { staff_key: keys } : keys;
  return Object.values(operations)
    .filter(({ path }) => path.startsWith('/staffmember'))
    .map(({ operationId, method, path }) => ({
      operationId,
      method: method.toUpperCase(),
      path: `/v2${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known[name] ?? 'no-such-key'))}`,
      ...(operationId in bodies ? { json: bodies[operationId] } : {}),
      isWrite: method !== 'get',
    }));
}

/** The same for tests whose requests never reach a person. */
export const requests = createRequests('no-such-person');

/** The operations on people in a document of the contract. */
export interface RequestTable {
  /** The requests of all operations that declare the status. */
  requestsThatAnswer(status: number): StaffRequest[];
  /** The same, only of writes. */
  writesThatAnswer(status: number): StaffRequest[];
  /** The requests of all operations with a parameter, by its name: in the path, the query or the header. */
  requestsThatTake(parameter: string): StaffRequest[];
}

export function createRequestTable(given: OpenApiDocument): RequestTable {
  const requestsThatAnswer = (status: number) =>
    requests.filter(({ operationId }) => String(status) in declared(given, operationId).responses);
  return {
    requestsThatAnswer,
    writesThatAnswer: (status) => requestsThatAnswer(status).filter(({ isWrite }) => isWrite),
    requestsThatTake: (parameter) =>
      requests.filter(({ operationId }) => declared(given, operationId).parameters.has(parameter)),
  };
}

interface Declared {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlySet<string>;
}

interface Parameters {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
}

function declared({ paths, components }: OpenApiDocument, operationId: string): Declared {
  const shared = (components?.parameters ?? {}) as Readonly<Record<string, { readonly name: string }>>;
  for (const item of Object.values(paths) as (Parameters & Record<string, unknown>)[]) {
    for (const operation of Object.values(item) as (Parameters & Declared & { operationId?: string })[]) {
      if (operation.operationId !== operationId) continue;
      const taken = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(({ $ref, name }) =>
        $ref === undefined ? name : shared[$ref.slice($ref.lastIndexOf('/') + 1)]?.name,
      );
      return { responses: operation.responses, parameters: new Set(taken.filter((name) => name !== undefined)) };
    }
  }
  throw new Error(`The contract has no operation ${operationId}.`);
}

export const { requestsThatAnswer, writesThatAnswer, requestsThatTake } = createRequestTable(schedulingDocument);
