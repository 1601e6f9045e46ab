import { createTools, findSettingsFaults } from '@rostergate/mcp';
import { proxyDocument } from '@rostergate/staff-spec';
import { z } from 'zod';
import { issuersField } from '../keys/issuers-field.ts';
import { readOperationIds, toolsOf } from './staff-tools.ts';

const toolSchema = z.strictObject({
  operation_id: z.enum(readOperationIds).describe('operationId of a read operation.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Write 1 to 64 letters, digits, _ and -.')
    .optional()
    .describe('Name of the tool. By default the operationId.'),
  description: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('Description for agents. By default that of the proxy or of the contract.'),
  defaults: z
    .record(z.string(), z.json())
    .optional()
    .describe('Values of arguments that a call leaves out. They replace those of the proxy.'),
});

const mcpSchema = z.strictObject({
  tools: z
    .array(toolSchema)
    .min(1)
    .max(128)
    .optional()
    .describe('The operations. By default all read operations. A caller sees those that its key or token may call.'),
  auth: z
    .array(z.string().regex(/^(key|jwt:[a-z0-9][a-z0-9-]*)$/, 'Write "key", or "jwt:" and the name of an issuer.'))
    .min(1)
    .max(33)
    .default(['key'])
    .describe(
      'Credentials that `/mcp` accepts: `key` is a key or a token of `POST /v2/login`, `jwt:<name>` an access token of an issuer in `jwt_issuers` that is meant for `resource`.',
    ),
  resource: z
    .string()
    .max(1_024)
    .regex(/^$|^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/, 'Write an address that begins with https://.')
    .default('')
    .describe(
      'Public URL of `/mcp`, for clients that get tokens of an issuer. Required when `auth` contains an issuer, whose `audiences` must contain it.',
    ),
  origins: z
    .array(z.string().regex(/^(\*|https?:\/\/[^/?#\s]+)$/, 'Write an origin such as https://app.example, or *.'))
    .max(64)
    .default([])
    .describe('Origins of pages that may call `/mcp`; `*` for any. They replace `cors_origins` there.'),
  timeout_ms: z.int().min(100).max(600_000).default(60_000).describe('Maximum time of a call, in milliseconds.'),
  result_bytes_max: z
    .int()
    .min(1_024)
    .max(10_485_760)
    .default(262_144)
    .describe(
      'Maximum length of a response that a tool returns, in bytes. A longer one is reported as an error that asks for less.',
    ),
});

/** The setting `mcp` of the proxy. */
export const mcpField = mcpSchema
  .optional()
  .describe(
    'Read operations that AI agents can call as tools at `/mcp`, by the Model Context Protocol. `{}` offers all of them to keys. Without it, `/mcp` is not served.',
  );

export type McpField = z.output<typeof mcpSchema>;

const checkedFields = z.object({ mcp: mcpSchema, jwt_issuers: issuersField });

/** Adds an issue for each fault of `mcp` that involves several fields, for `superRefine`. */
export function checkMcpSettings(settings: unknown, context: z.RefinementCtx<{ mcp?: unknown }>): void {
  // The rule also runs for invalid settings, whose own faults are reported already.
  const { data } = checkedFields.safeParse(settings);
  if (data === undefined) return;
  const { mcp, jwt_issuers: issuers } = data;
  const { faults } = createTools(proxyDocument, toolsOf(mcp));
  const ofTools = faults.map(({ path, detail }) => ({ path: ['tools', ...path], detail }));
  for (const { path, detail } of [...findSettingsFaults(mcp, issuers), ...ofTools]) {
    context.addIssue({
      code: 'custom',
      path: ['mcp', ...path],
      message: `It ${detail}.`.replace(/([.?])\.$/, '$1'),
      input: settings,
    });
  }
}
