import type { KnownIssuer } from './token-ways.ts';

/** How the operations of a document become endpoints. Omitted options keep the values of the previous import. */
export interface ImportOptions {
  /** Path of the document to write, relative to the folder of endpoints.json. */
  readonly documentPath: string;
  /** Addresses of the upstream, instead of the document's servers. */
  readonly targets?: readonly string[] | undefined;
  /** The prefix of every path, such as `/petstore`; may be empty. */
  readonly prefix?: string | undefined;
  /** Whether callers need a key; true by default. */
  readonly requiresAuth?: boolean | undefined;
  /** The required scopes by tag; `*` applies to every operation. */
  readonly scopes?: Readonly<Record<string, readonly string[]>> | undefined;
  /** OperationIds and tags to import; all if empty. */
  readonly include?: readonly string[] | undefined;
  /** OperationIds and tags to leave out. */
  readonly exclude?: readonly string[] | undefined;
  /** The issuers of the settings, whose tokens operations may accept. */
  readonly issuers?: readonly KnownIssuer[] | undefined;
  /** The path of endpoints.json, for messages. */
  readonly endpointsFile?: string | undefined;
  /** The text of endpoints.json, if it exists. */
  readonly endpointsText?: string | undefined;
  /** The document of the previous import, if it exists: reveals what people have edited since. */
  readonly documentText?: string | undefined;
}

/** The complete options that determine the entries; stored in the written document. */
export interface PlanOptions {
  readonly targets: readonly string[];
  readonly prefix: string;
  readonly requires_auth: boolean;
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly issuers?: readonly KnownIssuer[];
}

/** The import data in a written document: the options, and the chosen operations that got no endpoint. */
export interface StoredPlan extends PlanOptions {
  readonly not_imported?: readonly string[];
}

/** The member of the written document that stores them. */
export const planMember = 'x-rostergate-import';

/** Returns each option as given, else from the previous import, else the default. */
export function planOptionsOf(given: ImportOptions, before: Partial<PlanOptions> = {}): PlanOptions {
  const issuers = (given.issuers ?? before.issuers ?? []).map(({ name, issuer }) => ({ name, issuer }));
  return {
    targets: [...new Set((given.targets ?? before.targets ?? []).map((target) => target.replace(/\/+$/, '')))],
    prefix: (given.prefix ?? before.prefix ?? '').replace(/\/+$/, ''),
    requires_auth: given.requiresAuth ?? before.requires_auth ?? true,
    scopes: given.scopes ?? before.scopes ?? {},
    include: given.include ?? before.include ?? [],
    exclude: given.exclude ?? before.exclude ?? [],
    ...(issuers.length === 0 ? {} : { issuers }),
  };
}

/** Returns the options that a written document stores; undefined if no import wrote it. */
export function readPlanOptions(document: Readonly<Record<string, unknown>>): Partial<StoredPlan> | undefined {
  const stored = document[planMember];
  return typeof stored === 'object' && stored !== null ? (stored as Partial<StoredPlan>) : undefined;
}

/** Thrown if nothing can be imported; the message says what to do. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}
