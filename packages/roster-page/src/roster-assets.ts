import { type AssetSource, assetFile } from '@rostergate/pages';

/** Names of `roster.js` that `roster-person.js` uses: one module for both, with one session. */
const shared = [
  ...['announce', 'avatar', 'button', 'closePerson', 'currentSession', 'describeFailure', 'element', 'nameOf'],
  ...['readInUse', 'readPeople', 'requestRow', 'rosterFilter', 'send', 'stateMark', 'tagList', 'weekDays'],
];

/** Files that the page loads, by name, each joined from its parts. */
export const rosterAssets: Readonly<Record<string, AssetSource>> = {
  'roster.css': parts(assetFile('tokens.css'), assetFile('shell.css'), assetFile('controls.css'), own('roster.css')),
  'roster.js': {
    ...parts(
      assetFile('dom.js'),
      own('roster-query.js'),
      own('api-session.js'),
      own('request-view.js'),
      own('failure-view.js'),
      own('catalogue.js'),
      own('people-table.js'),
      own('roster-address.js'),
      own('close-person.js'),
      own('start-roster.js'),
    ),
    exports: shared,
  },
  'icon.svg': parts(assetFile('icon.svg')),
};

/** Files that the page loads with the first person: the panel, and the style sheet of its forms for those who may write. */
export const panelAssets: Readonly<Record<string, AssetSource>> = {
  'roster-edit.css': parts(own('edit/roster-edit.css')),
  'roster-person.js': {
    ...parts(
      own('person-texts.js'),
      own('edit/facts.js'),
      own('edit/compare-versions.js'),
      own('edit/writes.js'),
      own('edit/fault-places.js'),
      own('edit/fields.js'),
      own('edit/choices.js'),
      own('edit/tag-pair.js'),
      own('edit/conflict-view.js'),
      own('edit/editor.js'),
      own('edit/edit-tags.js'),
      own('edit/edit-manager.js'),
      own('edit/edit-skills.js'),
      own('edit/edit-pay-modifiers.js'),
      own('edit/create-editing.js'),
      own('editing.js'),
      own('person-panel.js'),
    ),
    imports: { names: shared, file: 'roster.js' },
    exports: ['openPerson'],
  },
};

function parts(...files: readonly URL[]): AssetSource {
  return { parts: files };
}

function own(name: string): URL {
  return new URL(`./assets/${name}`, import.meta.url);
}
