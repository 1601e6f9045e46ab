import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** A file of a page, ready to be sent. */
export interface PageAsset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

interface AssetSource {
  readonly file: string;
  /** Where the file is in the workspace, when it is not ours: in a package that is only needed to build this one. */
  readonly packagePath?: string;
}

/** Every file the pages use, by page; nothing else can be asked for. */
export const pageAssets = {
  docs: {
    'page.css': { file: 'page.css' },
    'docs.js': { file: 'docs.js' },
    'swagger-ui.css': { file: 'swagger-ui.css', packagePath: 'swagger-ui-dist/swagger-ui.css' },
    'swagger-ui-bundle.js': { file: 'swagger-ui-bundle.js', packagePath: 'swagger-ui-dist/swagger-ui-bundle.js' },
  },
  redoc: {
    'page.css': { file: 'page.css' },
    'redoc.js': { file: 'redoc.js' },
    'redoc.standalone.js': { file: 'redoc.standalone.js', packagePath: 'redoc/bundles/redoc.standalone.js' },
  },
} as const satisfies Record<string, Record<string, AssetSource>>;

export type PageName = keyof typeof pageAssets;

/** Makes the reader of assets; each file is read once, when it is first asked for. Undefined for any other name. */
export function createAssetReader(): (page: PageName, name: string) => Promise<PageAsset> | undefined {
  const read = new Map<string, Promise<PageAsset>>();
  return (page, name) => {
    const sources: Readonly<Record<string, AssetSource>> = pageAssets[page];
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (source === undefined) return undefined;
    let asset = read.get(source.file);
    if (asset === undefined) {
      asset = loadAsset(source);
      read.set(source.file, asset);
      // A failed read is tried again by the next request.
      asset.catch(() => read.delete(source.file));
    }
    return asset;
  };
}

async function loadAsset({ file, packagePath }: AssetSource): Promise<PageAsset> {
  const text = withoutStrangers(await readAsset(file, packagePath));
  const bytes = Buffer.from(text);
  const contentType = `${file.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8`;
  return { bytes, contentType, etag: etagOf(bytes) };
}

/** A strong entity tag (RFC 9110 §8.8.3) of some bytes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Beside this module, where the published package has every file; else in the workspace's packages. */
async function readAsset(file: string, packagePath: string | undefined): Promise<string> {
  try {
    return await readFile(new URL(`./assets/${file}`, import.meta.url), 'utf8');
  } catch (error) {
    if (packagePath === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readFile(createRequire(import.meta.url).resolve(packagePath), 'utf8');
  }
}

/** No page loads anything from another origin: ReDoc's logo goes, and so do references to source maps we do not serve. */
function withoutStrangers(text: string): string {
  return text
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replace(/\/[/*]# sourceMappingURL=\S+?(\*\/)?\s*$/, '');
}
