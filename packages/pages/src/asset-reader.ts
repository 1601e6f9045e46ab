import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type TaggedBytes, tagText } from './tagged-text.ts';

/** The source of a file that a page loads. */
export interface AssetSource {
  /** Files to concatenate, in this order. Scripts are modules that import only each other. */
  readonly parts: readonly URL[];
  /** Path in a development dependency, for the workspace; a published package contains the file. */
  readonly packagePath?: string;
}

/** Returns a function that reads a page's files by name, each once; it returns undefined for an unknown name. */
export function createAssetReader(
  sources: Readonly<Record<string, AssetSource>>,
): (name: string) => Promise<TaggedBytes> | undefined {
  const read = new Map<string, Promise<TaggedBytes>>();
  return (name) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source === undefined) return undefined;
    let asset = read.get(name);
    if (asset === undefined) {
      asset = loadAsset(name, source);
      read.set(name, asset);
      // The next request retries a failed read.
      asset.catch(() => read.delete(name));
    }
    return asset;
  };
}

async function loadAsset(name: string, { parts, packagePath }: AssetSource): Promise<TaggedBytes> {
  const texts = await Promise.all(parts.map((part) => readPart(part, packagePath)));
  const isScript = name.endsWith('.js');
  const text = texts.length === 1 ? (texts[0] as string) : isScript ? joinModules(texts) : texts.join('\n');
  return tagText(adaptBundle(text), contentTypeOf(name));
}

/** Joins modules without common top-level names into one, so that a page needs one request. */
function joinModules(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '')).join('\n');
}

/** Reads a file of this package, or else of a workspace dependency. */
async function readPart(part: URL, packagePath: string | undefined): Promise<string> {
  try {
    return await readFile(part, 'utf8');
  } catch (error) {
    if (packagePath === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readFile(createRequire(import.meta.url).resolve(packagePath), 'utf8');
  }
}

/**
 * Removes references to other origins and to source maps, and replaces ReDoc's fixed colours by ours, which also have
 * enough contrast on a dark background.
 */
function adaptBundle(text: string): string {
  return text
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replaceAll('color: #0e7c86;', 'color: var(--brand);')
    .replace(alternatives, (all) => all.replace(' white;', ' var(--on-brand);').replace(' white;', ' var(--sheet);'))
    .replace(/\/[/*]# sourceMappingURL=\S+?(\*\/)?\s*$/, '');
}

/** Matches the styles of the `oneOf` buttons in ReDoc's bundle: the selected one, then the others. */
const alternatives = /\.\$active\?`[^`]*color: white;[^`]*`:`[^`]*background-color: white;/;

function contentTypeOf(name: string): string {
  if (name.endsWith('.css')) return 'text/css; charset=utf-8';
  return name.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript; charset=utf-8';
}
