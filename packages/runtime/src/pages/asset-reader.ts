import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type KeptBytes, keepText } from './kept-text.ts';

/** Where a file that a page loads comes from. */
export interface AssetSource {
  /** Files that are sent as one, in this order: scripts among them are modules that import each other only. */
  readonly parts: readonly URL[];
  /** Where the file is in the workspace when the first part is not there: in a package only needed to build this one. */
  readonly packagePath?: string;
}

/**
 * Makes the reader of a page's files, by name; each is read once, when it is first asked for. Undefined for any name
 * that is not among the sources.
 */
export function createAssetReader(
  sources: Readonly<Record<string, AssetSource>>,
): (name: string) => Promise<KeptBytes> | undefined {
  const read = new Map<string, Promise<KeptBytes>>();
  return (name) => {
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source === undefined) return undefined;
    let asset = read.get(name);
    if (asset === undefined) {
      asset = loadAsset(name, source);
      read.set(name, asset);
      // A failed read is tried again by the next request.
      asset.catch(() => read.delete(name));
    }
    return asset;
  };
}

async function loadAsset(name: string, { parts, packagePath }: AssetSource): Promise<KeptBytes> {
  const texts = await Promise.all(parts.map((part) => readPart(part, packagePath)));
  const isScript = name.endsWith('.js');
  const text = texts.length === 1 ? (texts[0] as string) : isScript ? joinModules(texts) : texts.join('\n');
  return keepText(mendBundle(text), contentTypeOf(name));
}

/** Modules that share no top-level name, as one: each load of a page then costs its reader one request for all. */
function joinModules(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '')).join('\n');
}

/** Beside its module, where the published package has every file; else in the workspace's packages. */
async function readPart(part: URL, packagePath: string | undefined): Promise<string> {
  try {
    return await readFile(part, 'utf8');
  } catch (error) {
    if (packagePath === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readFile(createRequire(import.meta.url).resolve(packagePath), 'utf8');
  }
}

/**
 * No page loads anything from another origin: ReDoc's logo goes, and so do references to source maps we do not serve.
 * The few colours that ReDoc's theme does not know become ours, which can be read on dark ground too.
 */
function mendBundle(text: string): string {
  return text
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replaceAll('color: #0e7c86;', 'color: var(--brand);')
    .replace(alternatives, (all) => all.replace(' white;', ' var(--on-brand);').replace(' white;', ' var(--sheet);'))
    .replace(/\/[/*]# sourceMappingURL=\S+?(\*\/)?\s*$/, '');
}

/** The buttons for the alternatives of a schema in ReDoc's bundle: the chosen one, then the others. */
const alternatives = /\.\$active\?`[^`]*color: white;[^`]*`:`[^`]*background-color: white;/;

function contentTypeOf(name: string): string {
  if (name.endsWith('.css')) return 'text/css; charset=utf-8';
  return name.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript; charset=utf-8';
}
