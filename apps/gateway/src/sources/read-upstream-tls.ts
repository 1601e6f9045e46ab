import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import type { SourceFiles } from '@rostergate/config/reload';
import type { Endpoint, UpstreamTls } from '@rostergate/endpoints';
import { findTlsPairFault } from '@rostergate/server/edge';

/** Returns the paths of the TLS files that the upstreams of an unchecked endpoints.json name. */
export function tlsFilesOf(value: unknown): string[] {
  const { endpoints } = (value ?? {}) as { readonly endpoints?: unknown };
  const list = (Array.isArray(endpoints) ? endpoints : []) as ({ upstream?: GivenUpstream } | null)[];
  const blocks = list.flatMap((one) => [one?.upstream?.tls, one?.upstream?.auth?.tls]);
  const names = blocks.flatMap((tls) => [tls?.ca_file, tls?.certificate_file, tls?.key_file]);
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

interface GivenUpstream {
  readonly tls?: GivenTls;
  readonly auth?: { readonly tls?: GivenTls } | null;
}

type GivenTls = { readonly ca_file?: unknown; readonly certificate_file?: unknown; readonly key_file?: unknown } | null;

/** Returns a function that reads the TLS files of an endpoint's upstream, and reports what cannot be used once. */
export function createTlsReader(files: SourceFiles): (endpoint: Endpoint) => Promise<Endpoint> {
  const known = new Map<string, Promise<UpstreamTls>>();

  async function read(tls: UpstreamTls): Promise<UpstreamTls> {
    const textOf = async (path: string | undefined, neededFor: string) =>
      path === undefined ? undefined : files.text(resolve(files.folder, path), { neededFor });
    const ca = await textOf(tls.caFile, 'ca_file');
    const certificate = await textOf(tls.certificateFile, 'certificate_file');
    const key = await textOf(tls.keyFile, 'key_file');
    const report = (path: string, detail: string) =>
      files.report({ where: files.show(resolve(files.folder, path)), field: '', detail });
    const nowFor = (path = '') => (files.isAccepted(resolve(files.folder, path)) ? undefined : Date.now());
    const caFault = ca && findAuthorityFault(ca, nowFor(tls.caFile));
    if (caFault) report(tls.caFile as string, caFault);
    if (certificate !== undefined && key !== undefined) {
      const fault = findTlsPairFault({ certificate, key }, nowFor(tls.certificateFile));
      if (fault !== undefined)
        report((fault.part === 'key' ? tls.keyFile : tls.certificateFile) as string, fault.detail);
    }
    return Object.freeze({ ...tls, ca, certificate, key });
  }

  function readOnce(tls: UpstreamTls | undefined): Promise<UpstreamTls> | undefined {
    if (tls === undefined) return undefined;
    const key = JSON.stringify(tls);
    const reading = known.get(key) ?? read(tls);
    known.set(key, reading);
    return reading;
  }

  return async (endpoint) => {
    const { upstream } = endpoint;
    if (upstream === undefined || (upstream.tls ?? upstream.auth?.tls) === undefined) return endpoint;
    const [tls, authTls] = [await readOnce(upstream.tls), await readOnce(upstream.auth?.tls)];
    const auth = upstream.auth && { ...upstream.auth, tls: authTls };
    return Object.freeze({ ...endpoint, upstream: Object.freeze({ ...upstream, tls, auth }) });
  };
}

/** Returns why a file of authorities cannot be used, if it cannot. Without `nowMs` the time is not checked. */
function findAuthorityFault(text: string, nowMs?: number): string | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const ends: number[] = [];
  for (const block of blocks) {
    try {
      ends.push(Date.parse(new X509Certificate(block).validTo));
    } catch {
      return 'It contains a certificate that cannot be read: give a PEM file of the authorities to trust.';
    }
  }
  if (ends.length === 0) return 'This is not a certificate: give a PEM file of the authorities to trust.';
  const lastMs = Math.max(...ends);
  return nowMs !== undefined && nowMs > lastMs
    ? `Every certificate in it has expired, the last on ${new Date(lastMs).toISOString()}: renew them.`
    : undefined;
}
