import type { Guarantee, Subject } from './collect-guarantees.ts';

/** One thing that the page lists. */
export interface Listed {
  readonly name: string;
  readonly description: string;
}

export interface GatewayDocSources {
  readonly listed: Readonly<Record<Subject, readonly Listed[]>>;
  readonly guarantees: readonly Guarantee[];
}

/** What is listed without a test, or tested without being listed. With any, there is no page to write. */
export function findGaps({ listed, guarantees }: GatewayDocSources): string[] {
  const known = new Set(subjects.flatMap((subject) => listed[subject].map(({ name }) => `${subject} ${name}`)));
  const tested = new Set(guarantees.map(({ subject, name }) => `${subject} ${name}`));
  return [
    ...[...known].filter((name) => !tested.has(name)).map((name) => `No acceptance test is called "${name}: …".`),
    ...[...tested]
      .filter((name) => !known.has(name))
      .map((name) => `A test is called "${name}", which does not exist.`),
  ];
}

const subjects = ['setting', 'field', 'route', 'command'] as const;

/** The gateway's page: everything there is, each with the guarantees that a test holds it to. */
export function emitGatewayDoc({ listed, guarantees }: GatewayDocSources): string {
  const table = (subject: Subject): string => {
    const rows = listed[subject].map(({ name, description }) => {
      const held = guarantees.filter((guarantee) => guarantee.subject === subject && guarantee.name === name);
      const lines = held.map(({ text, file }) => `[${escapeCell(text)}](../${file})`);
      return `| \`${name}\` | ${escapeCell(description)} | ${lines.join('<br>')} |`;
    });
    return ['| name | what it is | held to it by the test |', '|---|---|---|', ...rows].join('\n');
  };
  return `# The gateway

Everything that the gateway has, and for each the guarantees that a test drives through a running process. Types,
defaults and bounds are in [configuration.md](configuration.md), options and exit codes in [commands.md](commands.md).

## Settings

Fields of \`settings.json\`. The command line comes before the environment (\`ROSTERGATE_<FIELD>\`), the environment before
the file, the file before the default.

${table('setting')}

## Fields of an endpoint

Fields of each entry of \`endpoints.json\`.

${table('field')}

## Routes

What is there beside the configured endpoints.

${table('route')}

## Commands

${table('command')}
`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
}
