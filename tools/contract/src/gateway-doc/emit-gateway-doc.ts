import { emitGuarantees } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';

/** The gateway's page: everything there is, each with the guarantees that a test holds it to. */
export function emitGatewayDoc(things: GuaranteedThings): string {
  return `# The gateway

Everything that the gateway has, and for each the guarantees that a test drives through a running process. Types,
defaults and bounds are in [configuration.md](configuration.md), options and exit codes in [commands.md](commands.md).

## Settings

Fields of \`settings.json\`. The command line comes before the environment (\`ROSTERGATE_<FIELD>\`), the environment before
the file, the file before the default.

${emitGuarantees(things, 'setting')}

## Fields of an endpoint

Fields of each entry of \`endpoints.json\`.

${emitGuarantees(things, 'field')}

## Routes

What is there beside the configured endpoints.

${emitGuarantees(things, 'route')}

## Commands

${emitGuarantees(things, 'command')}
`;
}
