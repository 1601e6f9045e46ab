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
  /** Everything that came, as it came. */
  readonly bytes: () => string;
}

/** An OTLP collector on loopback: takes traces over HTTP in protobuf and reads them. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = http.createServer(async (req, res) => {
    const sent = await buffer(req);
    const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    bodies.push(body);
    if (req.url === '/v1/traces') spans.push(...readTraces(body));
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

/** `ExportTraceServiceRequest` of opentelemetry-proto, as far as tests look. */
function readTraces(bytes: Buffer): CollectedSpan[] {
  return all(bytes, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(all(resourceSpans, 1).flatMap((message) => all(message, 1)));
    return all(resourceSpans, 2)
      .flatMap((scope) => all(scope, 2))
      .map((span) => ({
        traceId: text(span, 1, 'hex'),
        spanId: text(span, 2, 'hex'),
        parentId: text(span, 4, 'hex'),
        name: text(span, 5),
        kind: number(span, 6),
        status: number(all(span, 15)[0] ?? Buffer.alloc(0), 3),
        attributes: readAttributes(all(span, 9)),
        resource,
      }));
  });
}

function readAttributes(pairs: Buffer[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map((pair) => [text(pair, 1), readValue(all(pair, 2)[0] ?? Buffer.alloc(0))]));
}

function readValue(value: Buffer): unknown {
  const [list] = all(value, 5);
  if (list !== undefined) return all(list, 1).map(readValue);
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

/** The protobuf wire format: a tag, then a varint, eight bytes, a length and bytes, or four bytes. */
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
