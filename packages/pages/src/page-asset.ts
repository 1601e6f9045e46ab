import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type TaggedBytes, tagText } from './tagged-text.ts';

/** The source of a file that a page loads. */
export interface AssetSource {
  /** Files to concatenate, in this order. Scripts are modules that import only each other. */
  readonly parts: readonly URL[];
  /** Names that a joined script exports; by default none. */
  readonly exports?: readonly string[];
  /** Another file of the page, from which a joined script imports names. */
  readonly imports?: { readonly names: readonly string[]; readonly file: string };
  /** Path in a development dependency, for the workspace; a published package contains the file. */
  readonly packagePath?: string;
}

const own = (...files: string[]): AssetSource => ({ parts: files.map(assetFile) });
const from = (file: string, packagePath: string): AssetSource => ({ parts: [assetFile(file)], packagePath });

/** All files of the documentation pages, by page. */
export const pageAssets = {
  docs: {
    'page.css': own('tokens.css', 'shell.css', 'docs.css'),
    'docs.js': own('contract-page.js', 'docs.js'),
    'swagger-ui.css': from('swagger-ui.css', 'swagger-ui-dist/swagger-ui.css'),
    'swagger-ui-bundle.js': from('swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui-bundle.js'),
  },
  redoc: {
    'page.css': own('tokens.css', 'shell.css', 'redoc.css'),
    'redoc.js': own('dom.js', 'contract-page.js', 'contract-parts.js', 'part-chooser.js', 'redoc.js'),
    'redoc.standalone.js': from('redoc.standalone.js', 'redoc/bundles/redoc.standalone.js'),
  },
} as const satisfies Record<string, Record<string, AssetSource>>;

export type PageName = keyof typeof pageAssets;

/** The parts of the style sheet and script of a landing page. */
export const blockAssets = {
  styles: ['tokens.css', 'shell.css', 'controls.css', 'blocks.css'].map(assetFile),
  scripts: [
    'dom.js',
    'copy-buttons.js',
    'quota.js',
    'key-tester.js',
    'readiness.js',
    'figures.js',
    'live-figures.js',
    'operation-list.js',
    'start-blocks.js',
  ].map(assetFile),
  icon: assetFile('icon.svg'),
} as const;

/** Where an asset of this package is, by its file name. */
export function assetFile(name: string): URL {
  return new URL(`./assets/${name}`, import.meta.url);
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

async function loadAsset(name: string, source: AssetSource): Promise<TaggedBytes> {
  const { parts, packagePath } = source;
  const texts = await Promise.all(parts.map((part) => readPart(part, packagePath)));
  const isScript = name.endsWith('.js');
  const text = texts.length === 1 ? (texts[0] as string) : isScript ? joinModules(texts, source) : texts.join('\n');
  return tagText(adaptBundle(text), contentTypeOf(name));
}

/** Joins modules without common top-level names into one, so that a page needs one request. */
function joinModules(texts: readonly string[], { imports, exports }: AssetSource): string {
  const joined = texts.map((text) => text.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, ''));
  if (imports !== undefined) joined.unshift(`import { ${imports.names.join(', ')} } from './${imports.file}';`);
  if (exports !== undefined) joined.push(`export { ${exports.join(', ')} };`);
  return joined.join('\n');
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
