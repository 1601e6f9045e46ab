import type { ServerName } from './start-server.ts';

/** Responses that a contract declares and no test can bring about. */
export interface Unprovoked {
  readonly servers: readonly ServerName[];
  readonly operations: 'all' | readonly string[];
  readonly statuses: readonly string[];
  /** One part of responses that are seen without it, such as `header age`. */
  readonly part?: string;
  readonly reason: string;
}

/** Why each declared response that no test sees is declared all the same. An entry that is not needed fails the run. */
export const unprovoked: readonly Unprovoked[] = [
  {
    servers: ['gateway', 'staff-proxy'],
    operations: 'all',
    statuses: ['500'],
    reason: 'It stands for a fault of the server itself: no request is known that brings one about.',
  },
  {
    servers: ['scheduling'],
    operations: 'all',
    statuses: ['500'],
    reason: 'Pages and system operations use no database: no request is known that makes them fail.',
  },
];
