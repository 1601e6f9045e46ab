import { basename } from 'node:path';
import { parseContractDocument } from '@rostergate/endpoints';

/**
 * How a document is kept when nobody names it: `petstore.yaml` as `petstore.openapi.json`; one without a file by its
 * title, so that two of them do not take each other's place.
 */
export function documentNameOf(file: string | undefined, text: string): string {
  const stem = file === undefined ? stemOfTitle(text) : basename(file).replace(/(\.openapi)?\.(json|ya?ml)$/i, '');
  return `${stem}.openapi.json`;
}

function stemOfTitle(text: string): string {
  const document = parseContractDocument(text, 'stdin');
  const info = typeof document === 'string' ? undefined : (document.value.info as { title?: unknown } | undefined);
  const words = String(info?.title ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 80) ?? 'imported';
}
