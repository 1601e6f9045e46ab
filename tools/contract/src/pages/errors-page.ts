import { join } from 'node:path';
import { problems } from '@rostergate/server/problem';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { rootFolder } from '../workspace.ts';

/** Writes docs/errors.md from the one error table. */
export async function generateErrorsDoc(): Promise<void> {
  const header = `<!-- ${generatedBy('packages/server/src/problem/problems.ts')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/errors.md'), header + emitErrorsDoc(problems));
}

/** The part of the error table that its page shows. */
export type ErrorTable = Readonly<
  Record<string, { readonly status: number; readonly kind: string; readonly title: string }>
>;

/** Returns the page on errors: every code by status, then by name. */
export function emitErrorsDoc(table: ErrorTable): string {
  const rows = Object.entries(table)
    .sort(([a, { status: s }], [b, { status: t }]) => s - t || (a < b ? -1 : 1))
    .map(([code, { status, kind, title }]) => `| ${status} | \`${code}\` | \`${kind}\` | ${title} |`);
  return `# Errors

Every error response of the gateway, the staff proxy and the scheduling API is a problem (RFC 9457) in \`application/problem+json\`:

| member | content |
|---|---|
| \`type\` | \`urn:rostergate:problem:<code>\`; for \`limit_exceeded\` the registered \`https://iana.org/assignments/http-problem-types#quota-exceeded\` |
| \`title\` | the title of the code, always the same |
| \`status\` | the status code of the response |
| \`detail\` | the fault of this request, and what to do next |
| \`instance\` | the path of the request, without its query |
| \`code\` | the exact cause, stable: branch on it |
| \`kind\` | the family of the cause, stable: the typed clients have an error class with this name |
| \`request_id\` | the value of \`X-Request-Id\`: quote it when asking for help |
| \`errors\` | every fault of the request with \`detail\` and its place: a \`pointer\` into the body, a \`parameter\` or a \`header\` |
| \`violated-policies\` | for \`limit_exceeded\`: the names of the reached limits, as in \`RateLimit-Policy\` |

The codes:

| status | code | kind | title |
|---|---|---|---|
${rows.join('\n')}
`;
}
