import { basename, join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { findGaps, type Guarantee, type GuaranteedThings, loadGuarantees } from '../reports/guarantees.ts';
import { rootFolder, ToolFailure } from '../workspace.ts';
import { pairs } from './pairs.ts';

const testFiles = ['tools/contract/src/**/*.test.ts', 'tools/acceptance/src/{drift,documents,ops}/*.test.ts'];

/** Writes docs/contract.md from the list of pairs and the titles of their tests. */
export async function generatePairsDoc(): Promise<void> {
  const sources = readPairs();
  const gaps = findGaps(sources);
  if (gaps.length > 0) throw new ToolFailure(`docs/contract.md cannot be written:\n  ${gaps.join('\n  ')}`);
  const header = `<!-- ${generatedBy('tools/contract/src/pages/pairs.ts and the titles of tests')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/contract.md'), header + emitPairsDoc(sources));
}

/** Returns everything that the page names. */
export function readPairs(): GuaranteedThings {
  const listed = { pair: pairs, mutation: pairs };
  return { listed, guarantees: loadGuarantees(testFiles, Object.keys(listed)) };
}

/** Returns the page on what cannot drift apart: each pair with its check, and the one-sided changes that it catches. */
export function emitPairsDoc({ listed, guarantees }: GuaranteedThings): string {
  const sections = (listed.pair ?? []).map(({ name, description }) => {
    const ofPair = guarantees.filter((one) => one.name === name);
    const tests = [...Map.groupBy(ofPair, ({ file }) => file)].map(([file, ofFile]) => emitTests(file, ofFile));
    return `## ${name}\n\n${description.replace(/^\p{Ll}/u, (first) => first.toUpperCase())}.\n\n${tests.join('\n\n')}`;
  });
  return `# What cannot drift apart

Routes, types, clients, documents, error bodies and packages follow from the contracts. This page lists every pair of things
that could disagree:

- **checked**: a test that fails when the two disagree;
- *caught*: a test that changes one side only, in memory or in a copy, and expects the check to fail.

Tests in files such as \`*.chromium.test.ts\` run where that program is installed (\`TEST_WITH=chromium pnpm test\`), all
others with \`npm test\`. Only \`pnpm generate:check\` compares the server stubs with their templates, because that needs Java.
\`.ci/run\` does all of it.

The acceptance tests log every response by server, operation, status, media type and headers, and fail at a response that the
contract does not allow. After its last test stage, \`.ci/run\` reads all logs. It fails at each declared response, media type
and header that no test has seen, unless \`tools/acceptance/src/unprovoked-responses.ts\` lists it with a reason. It also fails
at each test that this page or a report of [the gateway](reports/gateway.md), [the scheduling API](reports/scheduling.md) or
[the staff proxy](reports/staff-proxy.md) names and that did not run and pass with that server.

To add a pair, edit \`tools/contract/src/pages/pairs.ts\` and name its tests \`pair <name>: …\` and \`mutation <name>: …\`.
\`pnpm generate\` fails while one of them is missing.

${sections.join('\n\n')}
`;
}

/** Lists the checks of a pair in one test file, and the changes that they catch. */
function emitTests(file: string, guarantees: readonly Guarantee[]): string {
  const lines = (subject: string, label: string) =>
    guarantees.filter((one) => one.subject === subject).map(({ text }) => `- ${label}: ${text}`);
  const all = new Set([...lines('pair', '**checked**'), ...lines('mutation', '*caught*')]);
  return `[${basename(file)}](../${file})\n\n${[...all].join('\n')}`;
}
