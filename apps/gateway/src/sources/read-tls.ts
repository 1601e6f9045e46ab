import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Settings } from '@rostergate/endpoints';
import type { Configuration } from '../configuration.ts';
import type { SourceFiles } from './source-files.ts';

/** The certificate and its key, tried together; undefined where none is named, and with faults where they cannot serve. */
export async function readTls(settings: Readonly<Settings>, files: SourceFiles): Promise<Configuration['tls']> {
  const { tls_certificate_file: certificateFile, tls_key_file: keyFile } = settings;
  if (certificateFile === '' && keyFile === '') return undefined;
  if (certificateFile === '' || keyFile === '') {
    const [given, missing] =
      certificateFile === '' ? ['tls_key_file', 'tls_certificate_file'] : ['tls_certificate_file', 'tls_key_file'];
    files.report({ where: 'settings', field: missing, detail: `It is needed beside ${given}: TLS takes both files.` });
    return undefined;
  }
  const certificatePath = resolve(files.folder, certificateFile);
  const keyPath = resolve(files.folder, keyFile);
  const certificate = await files.text(certificatePath, { neededFor: 'tls_certificate_file' });
  const key = await files.text(keyPath, { neededFor: 'tls_key_file' });
  if (certificate === undefined || key === undefined) return undefined;
  if (!tryOut({ cert: certificate }, certificatePath, 'It holds no certificate in PEM.', files)) return undefined;
  if (!tryOut({ key }, keyPath, 'It holds no private key in PEM (one without a pass phrase).', files)) return undefined;
  const detail = `It is not the key of ${files.show(certificatePath)}: both files must belong together.`;
  if (!tryOut({ cert: certificate, key }, keyPath, detail, files)) return undefined;
  return Object.freeze({ certificate, key });
}

function tryOut(
  options: Parameters<typeof createSecureContext>[0],
  path: string,
  detail: string,
  files: SourceFiles,
): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    files.report({ where: files.show(path), field: '', detail });
    return false;
  }
}
