import type { Settings } from '@rostergate/endpoints';
import type { TakenAtStart } from '@rostergate/runtime/reload';

/** What takes effect at the next start alone. */
export const takenAtStart: TakenAtStart<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  workers: ({ workers }) => workers,
  // Another certificate is taken up at once, but a server either speaks TLS or does not.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};
