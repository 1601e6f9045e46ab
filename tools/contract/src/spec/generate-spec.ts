import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { applyOverlay, type Overlay } from '../overlay/apply-overlay.ts';
import { specFolder } from '../workspace.ts';
import { type DocumentFiles, emitSpecIndex, emitSpecIndexTypes } from './emit-spec-index.ts';
import { emitTypes } from './emit-types.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { bundleContract, lintContract } from './redocly.ts';

/** Lint → bundle → overlays → types: everything in `specs/<name>/gen`. */
export async function generateSpec(name: string): Promise<void> {
  const entry = `specs/${name}/openapi.yaml`;
  const folder = join(specFolder(name), 'gen');
  const [, bundle] = await Promise.all([lintContract(entry), bundleContract(entry)]);
  const document = bundle as OpenApiDocument;
  const documents: Record<string, { file: string; says: string }> = {
    document: { file: 'openapi.json', says: `The contract "${document.info.title}" in one document.` },
  };
  writeGenerated(join(folder, 'openapi.json'), emitJson(document));
  for (const [overlayName, overlay] of loadOverlays(name)) {
    const derived = applyOverlay(bundle as never, overlay);
    const file = `${overlayName}.openapi.json`;
    documents[`${overlayName}Document`] = { file, says: `${overlay.info.title}.` };
    writeGenerated(join(folder, file), emitJson(derived));
  }
  const header = `// ${generatedBy(entry)}\n`;
  writeGenerated(join(folder, 'types.gen.d.ts'), header + (await emitTypes(document)));
  writeGenerated(join(folder, 'index.js'), header + emitSpecIndex(documents satisfies DocumentFiles));
  writeGenerated(join(folder, 'index.d.ts'), header + emitSpecIndexTypes(documents));
}

/** `proxy.overlay.yaml` derives the document `proxy`. */
function loadOverlays(name: string): [string, Overlay][] {
  const suffix = '.overlay.yaml';
  return readdirSync(specFolder(name))
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => [
      file.slice(0, -suffix.length),
      parse(readFileSync(join(specFolder(name), file), 'utf8')) as Overlay,
    ]);
}

function emitJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
