/** A file of the configuration, with the schema in the gateway's contract that it keeps. */
export interface ConfigurationFile {
  readonly file: string;
  readonly schema: string;
  /** What an editor calls it. */
  readonly title: string;
}

export const configurationFiles: readonly ConfigurationFile[] = [
  { file: 'settings', schema: 'Settings', title: 'settings.json of Rostergate' },
  { file: 'endpoints', schema: 'EndpointsFile', title: 'endpoints.json of Rostergate' },
  { file: 'keys', schema: 'KeysFile', title: 'keys.json of Rostergate' },
];
