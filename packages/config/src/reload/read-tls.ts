import { resolve } from 'node:path';
import { findTlsPairFault, type TlsPair } from '@rostergate/server/edge';
import type { SourceFiles } from './source-files.ts';

export interface TlsSettings {
  readonly tls_certificate_file: string;
  readonly tls_key_file: string;
}

/** Reads the certificate and its key, and checks that they match; undefined without settings or with a fault. */
export async function readTls(settings: TlsSettings, files: SourceFiles): Promise<TlsPair | undefined> {
  const { tls_certificate_file: certificateFile, tls_key_file: keyFile } = settings;
  if (certificateFile === '' && keyFile === '') return undefined;
  if (certificateFile === '' || keyFile === '') {
    const names = ['tls_certificate_file', 'tls_key_file'];
    const [given, missing] = certificateFile === '' ? names.reverse() : names;
    files.report({
      where: 'settings',
      field: missing as string,
      detail: `It is required with ${given}: TLS needs both.`,
    });
    return undefined;
  }
  const paths = { certificate: resolve(files.folder, certificateFile), key: resolve(files.folder, keyFile) };
  const certificate = await files.text(paths.certificate, { neededFor: 'tls_certificate_file' });
  const key = await files.text(paths.key, { neededFor: 'tls_key_file' });
  if (certificate === undefined || key === undefined) return undefined;
  const fault = findTlsPairFault({ certificate, key }, Date.now());
  if (fault === undefined) return Object.freeze({ certificate, key });
  files.report({ where: files.show(paths[fault.part]), field: '', detail: fault.detail });
  return undefined;
}
