import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { createVendorForm } from '@rostergate/scheduling';
import { type SendLocally, toAbortSignal } from '@rostergate/server';
import { startListener } from '../start-listener.ts';

/** A received request, except logins. */
export interface SeenByVendor {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
}

export interface Vendor {
  /** The base URL, which ends in `/v2`. */
  readonly url: string;
  readonly seen: SeenByVendor[];
  stop(): Promise<void>;
}

/** The address of the vendor in its links; the proxy uses another one. */
export const vendorAddress = 'http://api.vendor.example/v2/';

/** Starts the vendor's form of a running scheduling API, and records the requests to it. */
export async function startVendor(storeUrl: string): Promise<Vendor> {
  const seen: SeenByVendor[] = [];
  const form = createVendorForm({ send: sendTo(storeUrl), bodyBytesMax: 1024 * 1024 });
  const { url, stop } = await startListener((req, res) => {
    void (async () => {
      const { method = '', url: path = '', headers, socket } = req;
      const text = await readText(req);
      if (path !== '/v2/login') seen.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) });
      // The body can be read once only, so the form gets a copy of the request.
      const copy = Object.assign(Readable.from(text === '' ? [] : [Buffer.from(text)]), {
        ...{ method, url: path, socket },
        headers: { ...headers, host: new URL(vendorAddress).host },
      });
      await form(copy as unknown as IncomingMessage, res);
    })().catch(() => res.destroy());
  });
  return { url: `${url}/v2`, seen, stop };
}

function sendTo(storeUrl: string): SendLocally {
  return async ({ method, url, headers, body, signal }) => {
    const response = await fetch(storeUrl + url, {
      ...{ method, signal: toAbortSignal(signal) },
      headers: Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined),
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: fields } = response;
    return {
      status,
      headers: Object.fromEntries(fields),
      body: Buffer.from(await response.arrayBuffer()),
      isWhole: true,
    };
  };
}
