import { type AssetSource, assetFile } from '@rostergate/pages';

/** Files of the roster page by name, each joined from its parts. */
export const rosterAssets: Readonly<Record<string, AssetSource>> = {
  'roster.css': parts(assetFile('tokens.css'), assetFile('shell.css'), assetFile('controls.css'), own('roster.css')),
  'roster.js': parts(
    assetFile('dom.js'),
    own('roster-query.js'),
    own('api-session.js'),
    own('request-view.js'),
    own('failure-view.js'),
    own('catalogue.js'),
    own('people-table.js'),
    own('roster-address.js'),
    own('person-panel.js'),
    own('start-roster.js'),
  ),
  'icon.svg': parts(assetFile('icon.svg')),
};

function parts(...files: readonly URL[]): AssetSource {
  return { parts: files };
}

function own(name: string): URL {
  return new URL(`./assets/${name}`, import.meta.url);
}
