import type { TakenAtStart } from '@rostergate/runtime/reload';
import type { Settings } from '../settings.ts';

/** What takes effect at the next start alone. */
export const takenAtStart: TakenAtStart<Settings> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  // Another certificate is taken up at once, but a server either speaks TLS or does not.
  tls_certificate_file: ({ tls_certificate_file }) => tls_certificate_file !== '',
};
