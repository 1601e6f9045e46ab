import { listPaths, type OpenApiDocument, type ResponseObject } from './contract-paths.ts';
import type { LoggedResponse } from './response-log.ts';
import type { ServerName } from './server-names.ts';

/** A response that a contract declares, or one of its media types or headers. */
interface Declared {
  readonly server: ServerName;
  readonly operationId: string;
  /** Such as `200` or `4XX`. A `default` with listed statuses counts as one response each; its parts belong to `default`. */
  readonly status: string;
  /** Empty for the response itself, else for example `media type text/css` or `header etag`. */
  readonly part: string;
  /** The shared component: a part sent by one operation counts for all of them. */
  readonly shared?: string;
}

type Documents = Readonly<Record<ServerName, OpenApiDocument>>;

export interface DeclaredCount {
  /** One line per server: the number of seen and declared responses. */
  readonly lines: readonly string[];
  /** Declared responses that were not seen, and unseen parts of seen responses. */
  readonly unseen: readonly Declared[];
}

/** Counts declared and seen responses by operation and status. */
export function countDeclared(replies: readonly LoggedResponse[], documents: Documents): DeclaredCount {
  const seen = new Set(replies.flatMap((reply) => seenOf(reply).map(keyOf)));
  const declared = Object.entries(documents).flatMap(([server, document]) =>
    listDeclared(server as ServerName, document),
  );
  const seenOfShared = new Set(
    declared.flatMap((one) => (one.shared !== undefined && seen.has(keyOf(one)) ? [sharedKeyOf(one)] : [])),
  );
  const isSeen = (one: Declared) =>
    seen.has(keyOf(one)) || (one.part !== '' && one.shared !== undefined && seenOfShared.has(sharedKeyOf(one)));
  const lines = Object.keys(documents).map((server) => {
    const all = declared.filter((one) => one.server === server && one.part === '');
    const found = all.filter(isSeen);
    return `${server}: ${found.length} of ${all.length} declared responses seen, by operation and status`;
  });
  const unseen = declared.filter((one) => !isSeen(one) && (one.part === '' || isSeen({ ...one, part: '' })));
  return { lines, unseen };
}

/** Returns declared responses without a test or reason, and reasons for responses that are seen or not declared. */
export function findUnexplained(unseen: readonly Declared[], listed: readonly Unprovoked[]): string[] {
  const covers = (entry: Unprovoked, one: Declared) =>
    one.part === (entry.part ?? '') &&
    entry.servers.includes(one.server) &&
    entry.statuses.includes(one.status) &&
    (entry.operations === 'all' || entry.operations.includes(one.operationId));
  const unexplained = unseen.filter((one) => !listed.some((entry) => covers(entry, one)));
  const idle = listed.flatMap((entry) =>
    entry.servers
      .filter((server) => !unseen.some((one) => one.server === server && covers(entry, one)))
      .map((server) => `${server}: has a reason, but is seen or not declared: ${entry.reason}`),
  );
  return [
    ...unexplained.map(({ server, operationId, status, part }) =>
      `${server} ${operationId} ${status} ${part}`.trim().concat(': is declared, but no test has caused it'),
    ),
    ...idle,
  ];
}

const keyOf = ({ server, operationId, status, part }: Declared) => `${server} ${operationId} ${status} ${part}`;

const sharedKeyOf = ({ server, shared, part }: Declared) => `${server} ${shared} ${part}`;

function seenOf({ server, operationId, status, listedAs, media, headers }: LoggedResponse): Declared[] {
  if (operationId === undefined) return [];
  const parts = ['', `media type ${media}`, ...headers.map((name) => `header ${name}`)];
  return [
    { server, operationId, status: String(status), part: '' },
    ...parts.map((part) => ({ server, operationId, status: listedAs, part })),
  ];
}

function listDeclared(server: ServerName, document: OpenApiDocument): Declared[] {
  return listPaths(document).flatMap(({ item }) =>
    Object.values(item).flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([listedAs, response]) => {
        const statuses = response['x-statuses']?.map(String).filter((status) => !(status in responses)) ?? [listedAs];
        return [
          ...statuses.map((status) => ({ server, operationId, status, part: '' })),
          ...partNames(response).map((part) => ({
            ...{ server, operationId, status: listedAs, part },
            ...(response.pointer === undefined ? {} : { shared: response.pointer.join('/') }),
          })),
        ];
      }),
    ),
  );
}

function partNames({ content = {}, headers = {} }: ResponseObject): string[] {
  return [
    ...Object.keys(content).map((media) => `media type ${media}`),
    ...Object.keys(headers).map((name) => `header ${name.toLowerCase()}`),
  ];
}

/** Declared responses that no test can cause. */
export interface Unprovoked {
  readonly servers: readonly ServerName[];
  readonly operations: 'all' | readonly string[];
  readonly statuses: readonly string[];
  /** A part of a seen response, such as `header age`. */
  readonly part?: string;
  readonly reason: string;
}

/** The reasons for declared responses that no test causes. An unneeded entry fails the run. */
export const unprovoked: readonly Unprovoked[] = [
  {
    servers: ['gateway', 'staff-proxy'],
    operations: 'all',
    statuses: ['500'],
    reason: 'An internal error: no request is known that causes one.',
  },
  {
    servers: ['scheduling'],
    operations: 'all',
    statuses: ['500'],
    reason: 'Pages and system operations use no database: no request is known that causes an error.',
  },
];
