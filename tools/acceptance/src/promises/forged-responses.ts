import type { ServerResponse } from 'node:http';
import { injectedName } from './hidden-requests.ts';
import { type Respond, respondJson } from './recording-upstream.ts';

/** Returns responses of a compromised upstream: other servers, fields that clients must not get, malformed messages. */
export function forgedResponses(elsewhere: string): readonly Respond[] {
  const place = `http://${elsewhere}/taken`;
  const raw = (text: string) => (res: ServerResponse) => void res.socket?.end(text);
  const json = 'Content-Type: application/json';
  const redirects = [301, 302, 303, 307, 308, 300].flatMap((status) =>
    [place, `//${elsewhere}/taken`].map(
      (Location): Respond =>
        (res) =>
          void res.writeHead(status, { Location }).end(),
    ),
  );
  return [
    ...redirects,
    (res) => void res.writeHead(201, { Location: place, 'Content-Type': 'application/json' }).end('{}'),
    (res) =>
      void res
        .writeHead(200, {
          Refresh: `0; url=${place}`,
          'X-Accel-Redirect': '/etc/passwd',
          'Alt-Svc': `h2="${elsewhere}"`,
          'Content-Type': 'application/json',
        })
        .end('[]'),
    (res) =>
      void res
        .writeHead(200, {
          Connection: 'close, x-hop',
          'X-Hop': 'y',
          'Keep-Alive': 'timeout=999',
          'Proxy-Authenticate': 'Basic',
          Trailer: 'X-Hop',
          'Content-Type': 'application/json',
        })
        .end('[]'),
    (res) =>
      void res
        .writeHead(200, {
          'Strict-Transport-Security': 'max-age=0',
          Server: 'forged',
          'X-Powered-By': 'forged',
          'Access-Control-Allow-Origin': '*',
          'X-Request-Id': 'forged',
          RateLimit: 'forged',
          'Content-Type': 'application/json',
        })
        .end('[]'),
    (res) => void res.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="forged"' }).end(),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nX-A: b\r${injectedName}: y\r\nContent-Length: 2\r\n\r\n[]`),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nX-A: b\r\n ${injectedName}: y\r\nContent-Length: 2\r\n\r\n[]`),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nX-A: b\0c\r\nContent-Length: 2\r\n\r\n[]`),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 2\r\nContent-Length: 200\r\n\r\n[]`),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`),
    raw(`HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n${injectedName}: y\r\n\r\n`),
    raw(
      `HTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 2\r\n\r\n[]HTTP/1.1 200 OK\r\n${injectedName}: y\r\nContent-Length: 2\r\n\r\n[]`,
    ),
    raw(`HTTP/1.1 200 ${injectedName}: y\r\n${json}\r\nContent-Length: 2\r\n\r\n[]`),
    raw(
      `HTTP/1.1 103 Early Hints\r\nLink: <${place}>\r\n${injectedName}: y\r\n\r\nHTTP/1.1 200 OK\r\n${json}\r\nContent-Length: 2\r\n\r\n[]`,
    ),
    raw(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n${injectedName}: y\r\n\r\n`),
    respondJson(200, []),
  ];
}
