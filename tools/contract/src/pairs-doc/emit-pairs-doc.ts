import { basename } from 'node:path';
import type { Guarantee } from '../guarantees/collect-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';

/** The page on what cannot drift apart: each pair with its guard, and the changes of one side that it catches. */
export function emitPairsDoc({ listed, guarantees }: GuaranteedThings): string {
  const sections = (listed.pair ?? []).map(({ name, description }) => {
    const of = guarantees.filter((one) => one.name === name);
    const tests = [...Map.groupBy(of, ({ file }) => file)].map(([file, held]) => emitTests(file, held));
    return `## ${name}\n\n${description.replace(/^\p{Ll}/u, (first) => first.toUpperCase())}.\n\n${tests.join('\n\n')}`;
  });
  return `# What cannot drift apart

The contracts come first, and everything else says what they say: routes, types, clients, documents, error bodies,
packages. Below is every pair that could disagree. What **holds** is a test that fails when it does; what is *caught* is how
that is known: a test that changes one side alone, in memory or in a copy, and sees the check fail.

A test in a file such as \`*.chromium.test.ts\` runs where there is that program (\`TEST_WITH=chromium pnpm test\`), all others
with \`npm test\`. The stubs are made by Java: whether they are what their templates make of the contract is looked at by
\`pnpm generate:check\` alone. \`.ci/run\` does all of it.

The acceptance tests log every response by server, operation, status, media type and headers. Their run fails at a response
that the contract does not allow. After its last stage of tests \`.ci/run\` reads the logs of all stages and fails at each
declared response, media type and header that no test has seen, unless
\`tools/acceptance/src/unprovoked-responses.ts\` lists it with its reason. It also fails at each test that this page,
[gateway.md](gateway.md), [scheduling.md](scheduling.md) or [staff-proxy.md](staff-proxy.md) names and that did not run and
pass, with the server that the page is about.

A new pair goes into \`tools/contract/src/pairs-doc/pairs.ts\`. Its tests are called \`pair <name>: …\` and \`mutation <name>: …\`;
\`pnpm generate\` fails while one of them is missing.

${sections.join('\n\n')}
`;
}

/** What the tests of one file hold a pair to, and what they have changed on one side of it. */
function emitTests(file: string, held: readonly Guarantee[]): string {
  const lines = (subject: string, label: string) =>
    held.filter((one) => one.subject === subject).map(({ text }) => `- ${label}: ${text}`);
  const all = new Set([...lines('pair', '**holds**'), ...lines('mutation', '*caught*')]);
  return `[${basename(file)}](../${file})\n\n${[...all].join('\n')}`;
}
