import type { AssetSource } from './asset-reader.ts';

const own = (...files: string[]): AssetSource => ({ parts: files.map(fileOf) });
const from = (file: string, packagePath: string): AssetSource => ({ parts: [fileOf(file)], packagePath });

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
  styles: ['tokens.css', 'shell.css', 'controls.css', 'blocks.css'].map(fileOf),
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
  ].map(fileOf),
  icon: fileOf('icon.svg'),
} as const;

/** All files of the roster page. */
export const rosterAssets = {
  'roster.css': own('tokens.css', 'shell.css', 'controls.css', 'roster.css'),
  'roster.js': own(
    'announce.js',
    'copy-text.js',
    'element.js',
    'roster-query.js',
    'api-session.js',
    'request-view.js',
    'failure-view.js',
    'catalogue.js',
    'people-table.js',
    'person-panel.js',
    'start-roster.js',
  ),
  'icon.svg': own('icon.svg'),
} as const satisfies Record<string, AssetSource>;

function fileOf(name: string): URL {
  return new URL(`./assets/${name}`, import.meta.url);
}
