import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type ServedRouter } from '@rostergate/server';
import { securityHeaders } from '@rostergate/server/edge';
import { type HealthHandlers, listen } from '@rostergate/server/lifecycle';
import { createProblemDocument, Problem, problemMediaType } from '@rostergate/server/problem';
import type { Configuration } from '../sources/read-sources.ts';

type Request = Parameters<ServedRouter>[0];
type Response = Parameters<ServedRouter>[1];

export interface StandbyOptions {
  readonly health: HealthHandlers;
  readonly randomId: () => string;
  /** The name of the setting or option that sets the port. */
  readonly portSetting: string;
}

export interface StandbyAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: Configuration['tls'];
}

/** Listens on the port of the gateway while no worker does. */
export interface Standby {
  /** Rejects with a ListenError. */
  open(address: StandbyAddress): Promise<AddressInfo>;
  readonly isOpen: () => boolean;
  /** Frees the port at once. */
  close(): void;
}

/** Returns a server that responds with liveness and readiness, and with 503 to everything else. */
export function createStandby({ health, randomId, portSetting }: StandbyOptions): Standby {
  let server: Server | undefined;

  async function respond(req: Request, res: Response): Promise<void> {
    const id = randomId();
    const path = req.url.split('?', 1)[0];
    const reply =
      path === '/health/live' ? health.getLiveness() : path === '/health/ready' && (await health.getReadiness());
    const problem = new Problem('unavailable', 'No worker is running. Retry in 1 s.');
    const body = reply ? reply.body : createProblemDocument(problem, id, path);
    res.writeHead(reply ? reply.status : problem.status, {
      ...securityHeaders,
      'Content-Type': reply ? 'application/json' : problemMediaType,
      'X-Request-Id': id,
      Connection: 'close',
      ...(reply ? {} : { 'Retry-After': '1' }),
    });
    res.end(JSON.stringify(body));
  }
  const serve = (req: Request, res: Response) => void respond(req, res).catch(() => res.destroy());
  const serveFaulty = (_fault: unknown, req: Request, res: Response) => serve(req, res);
  const router: ServedRouter = Object.assign(serve, {
    takesWebSockets: () => false,
    notFound: serve,
    reject: serveFaulty,
    fail: serveFaulty,
  });

  return {
    async open({ host, port, tls }) {
      const opened = createServer({ router: () => router, tls });
      const address = await listen(opened, { host, port, portSetting });
      server?.close();
      server = opened;
      return address;
    },
    isOpen: () => server !== undefined,
    close() {
      const closing = server;
      server = undefined;
      closing?.close();
    },
  };
}
