import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickFreePort } from '../../../workspace/free-ports.ts';
import { canReadProcesses } from '../process-tree.ts';
import { type ServerProcess, startPeer, startServer } from '../server-process.ts';
import { price } from './price.ts';

const scripts = {
  'bare-http': new URL('peers/bare-http.mjs', import.meta.url),
  'bare-express': new URL('peers/bare-express.mjs', import.meta.url),
  fastify: new URL('peers/fastify.mjs', import.meta.url),
  'assembled-express': new URL('peers/assembled-express.mjs', import.meta.url),
};

/** A server that the local service is compared with. */
export type LocalPeer = keyof typeof scripts;

/** Starts a peer with `count` routes. Peers that check keys accept these digests. */
export function startLocalPeer(peer: LocalPeer, count: number, digests: readonly string[]): Promise<ServerProcess> {
  return startPeer(scripts[peer], { args: [JSON.stringify(price), String(count), digests.join(',')] });
}

/** Starts fast-gateway in front of an upstream, with a key and a limit. */
export function startFastGateway(upstreamUrl: string, digests: readonly string[]): Promise<ServerProcess> {
  const args = [upstreamUrl, digests.join(',')];
  return startPeer(new URL('peers/fast-gateway.mjs', import.meta.url), { args });
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
