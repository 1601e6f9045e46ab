import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { credentialsOf } from '../contract/index.ts';
import type { LiveConnectionsOptions, LiveRequest } from '../live/live-connections.ts';
import { describeCause } from './log.ts';

/** Returns the observer that counts open WebSockets and streams, and logs each one at its end. */
export function createLiveMetrics(
  registry: Registry,
  log: Pick<Logger, 'info' | 'warn'>,
): Required<Pick<LiveConnectionsOptions, 'onOpen' | 'onClosed'>> {
  const open = new Gauge({
    name: 'live_connections',
    help: 'Open WebSockets and event streams, by route template.',
    labelNames: ['route', 'kind'],
    registers: [registry],
  });
  const closed = new Counter({
    name: 'live_connections_closed_total',
    help: 'Closed WebSockets and event streams, by route template and reason.',
    labelNames: ['route', 'kind', 'reason'],
    registers: [registry],
  });
  const labelsOf = ({ path: route, kind }: LiveRequest) => ({ route, kind });
  return {
    onOpen: (request) => open.inc(labelsOf(request)),
    onClosed(request, reason, { durationMs, bytesIn, bytesOut }, error) {
      const labels = labelsOf(request);
      open.dec(labels);
      closed.inc({ ...labels, reason });
      const facts = {
        ...{ request_id: request.requestId, route: request.path, reason, duration_ms: Math.round(durationMs) },
        ...{ bytes_in: bytesIn, bytes_out: bytesOut },
        ...(request.key === undefined ? {} : { key: request.key, owner: request.owner }),
      };
      const text = request.kind === 'websocket' ? 'WebSocket closed' : 'stream ended';
      if (error === undefined) log.info(facts, text);
      else log.warn({ ...facts, err: describeCause(error, credentialsOf(request)) }, text);
    },
  };
}
