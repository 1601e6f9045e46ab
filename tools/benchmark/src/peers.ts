import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pickFreePort } from '../../workspace/free-ports.ts';
import type { Core } from './cores.ts';
import { price } from './gateway/configurations.ts';
import { canReadProcesses } from './process-tree.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A server that the local service is compared with. */
export type LocalPeer = 'bare-http' | 'bare-express' | 'fastify' | 'assembled-express';

/** Starts a peer with `count` routes. Peers that check keys accept these digests. */
export function startLocalPeer(
  peer: LocalPeer,
  count: number,
  digests: readonly string[] = [],
): Promise<ServerProcess> {
  return startPeer(peer, [JSON.stringify(price), String(count), digests.join(',')]);
}

/** Starts fast-gateway in front of an upstream; with digests of keys, it checks them and counts requests. */
export function startFastGateway(upstreamUrl: string, digests?: readonly string[]): Promise<ServerProcess> {
  return startPeer('fast-gateway', digests === undefined ? [upstreamUrl] : [upstreamUrl, digests.join(',')]);
}

/** Starts a server that responds with these bytes: the minimum cost of the response. */
export async function startFixedResponse(bytes: Uint8Array, core?: Core): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const file = join(folder, 'body.json');
  await writeFile(file, bytes);
  try {
    return await startPeer('fixed-response', [file], core);
  } finally {
    // The peer has read the file.
    await rm(folder, { recursive: true });
  }
}

/** Starts an upstream of WebSockets that return each message, and of streams with an event every `everyMs`. */
export const startLiveUpstream = (everyMs: number): Promise<ServerProcess> =>
  startPeer('live-upstream', [String(everyMs)], 'load');

/** Starts a relay of the bytes of connections to an upstream: the minimum cost of a message. */
export const startBareRelay = (upstreamUrl: string): Promise<ServerProcess> =>
  startPeer('bare-relay', [new URL(upstreamUrl).port]);

async function startPeer(name: string, args: readonly string[], core?: Core): Promise<ServerProcess> {
  const port = await pickFreePort();
  const script = fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url));
  return startServer({ args: [script, String(port), ...args], cwd: process.cwd(), env: {}, port, core });
}

/** Whether nginx is installed and its CPU can be measured. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined && canReadProcesses();

/** Starts nginx in front of an upstream, with a map of keys, a limit per key and kept-alive connections. */
export async function startNginx(upstreamUrl: string, keys: readonly string[]): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const port = await pickFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, nginxConfiguration(folder, port, new URL(upstreamUrl).host, keys));
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', file];
  const server = await startServer({
    ...{ program: 'nginx', args, cwd: folder, env: {}, port },
    isProbed: false,
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function nginxConfiguration(folder: string, port: number, upstream: string, keys: readonly string[]): string {
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map_hash_bucket_size 128;
  keepalive_requests 1000000000;
  map $http_x_api_key $is_known { default 0; ${keys.map((key) => `${key} 1;`).join(' ')} }
  limit_req_zone $http_x_api_key zone=callers:10m rate=1000000r/s;
  upstream behind { server ${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location = /health/ready { return 200; }
    location / {
      if ($is_known = 0) { return 401; }
      limit_req zone=callers burst=100000 nodelay;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_pass http://behind;
    }
  }
}
`;
}
