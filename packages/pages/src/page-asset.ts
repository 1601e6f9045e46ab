import type { AssetSource } from './asset-reader.ts';

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
    'redoc.js': own('contract-page.js', 'contract-parts.js', 'part-chooser.js', 'redoc.js'),
    'redoc.standalone.js': from('redoc.standalone.js', 'redoc/bundles/redoc.standalone.js'),
  },
} as const satisfies Record<string, Record<string, AssetSource>>;

export type PageName = keyof typeof pageAssets;

/** The parts of the style sheet and script of a landing page. */
export const blockAssets = {
  styles: ['tokens.css', 'shell.css', 'controls.css', 'blocks.css'].map(assetFile),
  scripts: [
    'announce.js',
    'copy-text.js',
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
