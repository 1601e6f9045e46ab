import { stringify } from 'yaml';
import type { Configuration } from '../configuration.ts';
import { createServedDocument } from '../served-document.ts';

export type SpecFormat = 'json' | 'yaml';

/** The document that a gateway with this configuration serves at /openapi.json, as text for a file. */
export function createSpecText(
  { settings, endpoints }: Pick<Configuration, 'settings' | 'endpoints'>,
  format: SpecFormat,
): string {
  const document = createServedDocument(settings, endpoints);
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  // What stands in several places is written out in each: aliases are YAML's, not OpenAPI's.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
