/** How the operations of a document become endpoints. What is not given is taken from the import before. */
export interface ImportOptions {
  /** Path of the document to write, relative to the folder of endpoints.json. */
  readonly documentPath: string;
  /** Addresses of the upstream, in place of the document's own servers. */
  readonly targets?: readonly string[] | undefined;
  /** Before every path, such as `/petstore`; none when empty. */
  readonly prefix?: string | undefined;
  /** Whether callers need a key: true unless said otherwise. */
  readonly requiresAuth?: boolean | undefined;
  /** By tag, the scopes that its operations need; those under `*` every operation needs. */
  readonly scopes?: Readonly<Record<string, readonly string[]>> | undefined;
  /** OperationIds and tags: with any, only these. */
  readonly include?: readonly string[] | undefined;
  /** OperationIds and tags to leave out. */
  readonly exclude?: readonly string[] | undefined;
  /** The path of endpoints.json, for messages. */
  readonly endpointsFile?: string | undefined;
  /** endpoints.json as it is, if it is there. */
  readonly endpointsText?: string | undefined;
  /** The document as the import before wrote it, if it is there: tells what people have edited since. */
  readonly documentText?: string | undefined;
}

/** The options that decide about entries, all of them; kept in the written document. */
export interface PlanOptions {
  readonly targets: readonly string[];
  readonly prefix: string;
  readonly requires_auth: boolean;
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** What a written document keeps: the options, and which operations they chose that got no endpoint. */
export interface KeptPlan extends PlanOptions {
  readonly not_imported?: readonly string[];
}

/** Where the written document keeps them. */
export const planMember = 'x-rostergate-import';

/** Given now, else before, else the default. */
export function planOptionsOf(given: ImportOptions, before: Partial<PlanOptions> = {}): PlanOptions {
  return {
    targets: (given.targets ?? before.targets ?? []).map((target) => target.replace(/\/+$/, '')),
    prefix: (given.prefix ?? before.prefix ?? '').replace(/\/+$/, ''),
    requires_auth: given.requiresAuth ?? before.requires_auth ?? true,
    scopes: given.scopes ?? before.scopes ?? {},
    include: given.include ?? before.include ?? [],
    exclude: given.exclude ?? before.exclude ?? [],
  };
}

/** The options that a written document keeps; undefined when no import wrote it. */
export function readPlanOptions(document: Readonly<Record<string, unknown>>): Partial<KeptPlan> | undefined {
  const kept = document[planMember];
  return typeof kept === 'object' && kept !== null ? (kept as Partial<KeptPlan>) : undefined;
}

/** Why nothing can be imported; the message is for people and says what to do. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}
