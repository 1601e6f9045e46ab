import { emitGuarantees } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';

/** Returns the report of the gateway: each setting, field, route and command with the tests that check it. */
export function emitGatewayDoc(things: GuaranteedThings): string {
  return `# Test report: the gateway

Which acceptance tests check each setting, field, route and command against a running gateway.
[Configuration](../configuration.md) has types, defaults and bounds, [commands](../commands.md) options and exit codes, and
[the README of the gateway](../../apps/gateway/README.md) describes the server.

## Settings

${emitGuarantees(things, 'setting')}

## Fields of an endpoint

${emitGuarantees(things, 'field')}

## Routes

The routes that exist in addition to the configured endpoints.

${emitGuarantees(things, 'route')}

## Commands

${emitGuarantees(things, 'command')}
`;
}
