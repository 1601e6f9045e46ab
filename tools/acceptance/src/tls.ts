import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

interface TlsPair {
  readonly certificate: string;
  readonly key: string;
}

/** Returns a certificate and its key, valid for a hundred years. */
export function tlsPair(name: 'first' | 'second'): TlsPair {
  const read = (part: string) =>
    readFileSync(new URL(`../../../packages/server/test/tls/${name}.${part}.pem`, import.meta.url), 'utf8');
  return { certificate: read('certificate'), key: read('key') };
}

/** Sends a GET without verifying the certificate; resolves with the head of the response. */
export async function getOverTls(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { rejectUnauthorized: false, headers }, resolve).on('error', reject).end();
  });
  return response.resume();
}

/** Fetches from a port of this machine, under any host name, without verifying the certificate. */
export async function fetchOverTls(url: URL, port: number, init: RequestInit): Promise<Response> {
  const sent = new Request(url, init);
  const options = {
    ...{ host: '127.0.0.1', port, path: url.pathname + url.search, method: sent.method, rejectUnauthorized: false },
    headers: { ...Object.fromEntries(sent.headers), Host: url.host },
  };
  const body = await sent.text();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body);
  });
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(await text(response), { status: response.statusCode as number, headers });
}

/** Returns whether a server presents the certificate. */
export function isServed(url: string, { certificate }: TlsPair): Promise<boolean> {
  return new Promise((resolve) => {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() === new X509Certificate(certificate).toString());
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}
