import { describeField, type FieldSchemaObject } from '@rostergate/config/command';
import { escapeCell } from '../reports/tables.ts';
import type { JsonObject } from '../spec/openapi-document.ts';
import type { ProxySchemas, SettingsSchema } from './load-app.ts';

/** Returns the part of the page about the staff proxy: its settings, and its file of accounts and keys. */
export function emitProxyConfiguration({ settings, keysFile, prefix }: ProxySchemas): string {
  const { accounts, keys } = (keysFile.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const account = accounts?.additionalProperties as JsonObject;
  const key = keys?.items as JsonObject;
  return `## staff-proxy.json

The settings of the staff proxy. It reads the file that \`--settings\` or \`${prefix}SETTINGS_FILE\` names, or \`staff-proxy.json\` in
the working folder if it exists. Each setting can also be given as \`${prefix}<SETTING>\` in the environment or as an option such as
\`--upstream-url\`; the precedence is that of the gateway. Paths of other files are relative to the folder of this one.

Edits of the settings, the keys file, password files and the certificate are applied while the proxy serves. Requests in flight
finish with the old configuration; tokens of callers and logins at the upstream stay valid. An edit with a fault changes nothing, is
logged with its place, and shows in \`/health/ready\`. \`host\`, \`port\` and switching TLS on or off need a restart.
\`rostergate-staff-proxy validate\` reports every fault beforehand.

${table(settings, noteSecret)}
\`\`\`json
${JSON.stringify(settingsExample, null, 2)}
\`\`\`

### The proxy’s keys file

The file that \`keys_file\` names: the accounts at the upstream, and the keys of callers, which \`rostergate-staff-proxy keys\` writes.
Only its owner may read it (mode 600).

Fields of \`accounts\`, by the name of the account:

${table(account)}
One of \`password\`, \`password_env\` and \`password_file\` is required.

Fields of an entry of \`keys\`:

${table(key)}
\`\`\`json
${JSON.stringify(keysFileExample, null, 2)}
\`\`\`
`;
}

const settingsExample = {
  upstream_url: 'https://scheduling.example.org/v2',
  keys_file: '/etc/rostergate/proxy-keys.json',
  upstream_concurrency_max: 16,
  cache_seconds_max: 30,
};

const keysFileExample = {
  accounts: {
    reader: { email: 'svc-reader@example.org', password_env: 'READER_PASSWORD', company_key: 'north' },
  },
  keys: [
    {
      name: 'wallboard',
      owner: 'wards',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      account: 'reader',
      operations: { allow: ['listStaffMembers', 'getStaffMember'] },
    },
  ],
};

/** Returns the note that a secret has no option. */
const noteSecret = ({ secret, commandLine }: JsonObject): string =>
  secret === true && commandLine !== true ? ' No option: it is a secret.' : '';

/** Returns a table with a row for each field. `noteOn` may add to the description. */
export function table(schema: JsonObject, noteOn: (field: JsonObject) => string = () => ''): string {
  const required = new Set((schema.required ?? []) as readonly string[]);
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, FieldSchemaObject>>);
  const rows = fields.map(([name, field]) => {
    const { type, bounds, description, default: preset } = describeField(field);
    const takes = bounds === '' ? type : `${type}, ${bounds}`;
    const value = required.has(name) ? '**required**' : preset === undefined ? '–' : `\`${preset}\``;
    const cells = [`\`${name}\``, takes, value, description + noteOn(field as JsonObject)];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  });
  return `| field | type | default | description |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Returns the part of the page about the settings of the scheduling API. */
export function emitSchedulingConfiguration({ settings, prefix }: SettingsSchema): string {
  return `## scheduling.json

The settings of the scheduling API. The server reads the file that \`--settings\` names, or \`scheduling.json\` in the working
folder if it exists. Each setting can also be given as \`${prefix}<SETTING>\` in the environment or as an option such as
\`--token-lifetime-s\`; the precedence is that of the gateway. Settings are read at the start only. Every command of
\`rostergate-scheduling\` accepts the settings that name the database.

${table(settings, noteSecret)}`;
}
