import { join } from 'node:path';
import { problems } from '@rostergate/runtime/problem';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { rootFolder } from '../workspace.ts';

/** The part of the error table on the page. */
export type ErrorTable = Readonly<
  Record<string, { readonly status: number; readonly kind: string; readonly title: string }>
>;

/** Writes docs/errors.md from the error table. */
export async function generateErrorsDoc(): Promise<void> {
  const header = `<!-- ${generatedBy('packages/runtime/src/problem/problems.ts')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/errors.md'), header + emitErrorsDoc(problems));
}

/** Returns the page on errors, with all codes by status and name. */
export function emitErrorsDoc(table: ErrorTable): string {
  const rows = Object.entries(table)
    .sort(([a, { status: s }], [b, { status: t }]) => s - t || (a < b ? -1 : 1))
    .map(([code, { status, kind, title }]) => `| ${status} | \`${code}\` | \`${kind}\` | ${title} |`);
  return `# Errors

Every error response of the gateway, the staff proxy and the scheduling API is a problem (RFC 9457) in \`application/problem+json\`:

| member | content |
|---|---|
| \`type\` | \`urn:rostergate:problem:<code>\`. For \`limit_exceeded\`, the registered \`https://iana.org/assignments/http-problem-types#quota-exceeded\` |
| \`title\` | the title of the code |
| \`status\` | the HTTP status code |
| \`detail\` | an explanation of this error, and what to do next |
| \`instance\` | the path of the request, without its query |
| \`code\` | the exact cause. Stable: use it in programs |
| \`kind\` | the family of the cause. Stable: the clients have an error class of this name |
| \`request_id\` | the value of \`X-Request-Id\`. Include it in support requests |
| \`errors\` | all faults of the request. Each has a \`detail\` and a location: a \`pointer\` into the body, a \`parameter\` or a \`header\` |
| \`violated-policies\` | for \`limit_exceeded\`, the names of the reached limits, as in \`RateLimit-Policy\` |

The codes:

| status | code | kind | title |
|---|---|---|---|
${rows.join('\n')}
`;
}
