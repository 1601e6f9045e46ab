import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  /** 2 server, 3 client. */
  readonly kind: number;
  /** 0 unset, 2 error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Returns all received bodies. */
  readonly bytes: () => string;
}

/** Starts an OTLP collector on loopback that receives traces as protobuf over HTTP. Stops with the test. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = http.createServer(async (req, res) => {
    const raw = await buffer(req);
    const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    bodies.push(body);
    if (req.url === '/v1/traces') spans.push(...parseTraces(body));
    res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    bytes: () => bodies.map((body) => body.toString('latin1')).join(''),
  };
}

/** Parses the fields of `ExportTraceServiceRequest` (opentelemetry-proto) that tests check. */
function parseTraces(bytes: Buffer): CollectedSpan[] {
  return all(bytes, 1).flatMap((resourceSpans) => {
    const resource = parseAttributes(all(resourceSpans, 1).flatMap((message) => all(message, 1)));
    return all(resourceSpans, 2)
      .flatMap((scope) => all(scope, 2))
      .map((span) => ({
        traceId: text(span, 1, 'hex'),
        spanId: text(span, 2, 'hex'),
        parentId: text(span, 4, 'hex'),
        name: text(span, 5),
        kind: number(span, 6),
        status: number(all(span, 15)[0] ?? Buffer.alloc(0), 3),
        attributes: parseAttributes(all(span, 9)),
        resource,
      }));
  });
}

function parseAttributes(pairs: Buffer[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map((pair) => [text(pair, 1), parseValue(all(pair, 2)[0] ?? Buffer.alloc(0))]));
}

function parseValue(value: Buffer): unknown {
  const [list] = all(value, 5);
  if (list !== undefined) return all(list, 1).map(parseValue);
  const [words] = all(value, 1);
  return words === undefined ? number(value, 3) : words.toString();
}

interface Field {
  readonly number: number;
  readonly value: Buffer | number;
}

const all = (message: Buffer, wanted: number): Buffer[] =>
  fieldsOf(message).flatMap(({ number, value }) => (number === wanted && Buffer.isBuffer(value) ? [value] : []));

const text = (message: Buffer, wanted: number, form: BufferEncoding = 'utf8'): string =>
  (all(message, wanted)[0] ?? Buffer.alloc(0)).toString(form);

const number = (message: Buffer, wanted: number): number => {
  const found = fieldsOf(message).find((field) => field.number === wanted && typeof field.value === 'number');
  return (found?.value as number | undefined) ?? 0;
};

/** Parses the protobuf wire format: a tag, then a varint, eight bytes, a length and bytes, or four bytes. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    const value = kind === 0 ? varint() : kind === 1 ? take(8) : kind === 2 ? take(varint()) : take(4);
    fields.push({ number: Math.floor(tag / 8), value });
  }
  return fields;
}
