import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeDocuments } from '@rostergate/server';
import { parse } from 'yaml';
import { generatedBy, writeGeneratedFolder } from '../generated-file.ts';
import { fragmentFile, rootFolder, specFolder, ToolFailure } from '../workspace.ts';
import { applyOverlay, type Overlay } from './apply-overlay.ts';
import { emitSpecIndex, emitSpecIndexTypes } from './emit-spec-index.ts';
import { emitTypes } from './emit-types.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { bundleContract, lintContract, lintDocument } from './redocly.ts';

/** Lints and bundles a contract, applies its overlays, and writes its documents and types to `specs/<name>/gen`. */
export async function generateSpec(name: string): Promise<void> {
  const entry = `specs/${name}/openapi.yaml`;
  const [, bundle] = await Promise.all([lintContract(entry), bundleContract(entry)]);
  const document = bundle as OpenApiDocument;
  const documents: Record<string, { file: string; comment: string }> = {
    document: { file: 'openapi.json', comment: `The contract "${document.info.title}" in one document.` },
  };
  const files: Record<string, string> = { 'openapi.json': emitJson(document) };
  const fragments = await bundleFragments(name, document);
  for (const [overlayName, overlay] of loadOverlays(name)) {
    const file = `${overlayName}.openapi.json`;
    const whole = (overlay['x-fragments'] ?? []).reduce((joined, fragmentName) => {
      const fragment = fragments.get(fragmentName);
      if (fragment === undefined) throw new ToolFailure(`specs/${name} has no ${fragmentName}.fragment.yaml.`);
      return append(joined, fragment);
    }, document);
    const derived = applyOverlay(whole as never, overlay);
    await lintDocument(derived);
    documents[`${overlayName}Document`] = { file, comment: `${overlay.info.title}.` };
    files[file] = emitJson(derived);
  }
  for (const [fragmentName, fragment] of fragments) {
    const { title } = fragment.info;
    documents[`${fragmentName}Fragment`] = { file: `${fragmentName}.fragment.json`, comment: `${title}.` };
    files[`${fragmentName}.fragment.json`] = emitJson(fragment);
  }
  const header = `// ${generatedBy(entry)}\n`;
  files['types.gen.d.ts'] = header + (await emitTypes(document));
  files['index.js'] = header + emitSpecIndex(documents);
  files['index.d.ts'] = header + emitSpecIndexTypes(documents);
  writeGeneratedFolder(join(specFolder(name), 'gen'), files, [fragmentFile]);
}

/** Returns the overlays of a contract by name. `proxy.overlay.yaml` is `proxy`. */
function loadOverlays(name: string): [string, Overlay][] {
  return listSources(name, '.overlay.yaml').map(([overlay, file]) => [
    overlay,
    parse(readFileSync(join(rootFolder, file), 'utf8')) as Overlay,
  ]);
}

/** Returns the fragments of a contract by name, each linted together with the contract. */
async function bundleFragments(name: string, document: OpenApiDocument): Promise<Map<string, OpenApiDocument>> {
  const fragments = new Map<string, OpenApiDocument>();
  for (const [fragmentName, file] of listSources(name, '.fragment.yaml')) {
    const fragment = leaveOut((await bundleContract(file)) as OpenApiDocument, document);
    await lintDocument(append(document, fragment));
    fragments.set(fragmentName, fragment);
  }
  return fragments;
}

/** Returns the document with the operations of a fragment after its own. */
function append(document: OpenApiDocument, fragment: OpenApiDocument): OpenApiDocument {
  const { components = {}, tags = [], paths } = fragment;
  return mergeDocuments({ ...document, components, tags, paths }, { components: {}, tags: [], ...document });
}

/** Returns the files of a contract with a suffix, by their names without it. */
function listSources(name: string, suffix: string): [string, string][] {
  return readdirSync(specFolder(name))
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => [file.slice(0, -suffix.length), `specs/${name}/${file}`]);
}

/** Returns a fragment without the components that the document has already, so that both can be merged. */
function leaveOut({ components = {}, ...fragment }: OpenApiDocument, document: OpenApiDocument): OpenApiDocument {
  const added = Object.entries(components).map(([section, members]) => [
    section,
    Object.fromEntries(
      Object.entries(members).filter(([name]) => document.components?.[section]?.[name] === undefined),
    ),
  ]);
  return { ...fragment, components: Object.fromEntries(added) };
}

function emitJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
