import { emitLinks, escapeCell } from '../guarantees/emit-guarantees.ts';
import type { GuaranteedThings } from '../guarantees/find-gaps.ts';

/** The page on what cannot drift apart: each pair with its guard, and the changes of one side that it catches. */
export function emitPairsDoc({ listed, guarantees }: GuaranteedThings): string {
  const rows = (listed.pair ?? []).map(({ name, description }) => {
    const of = (subject: string) => guarantees.filter((one) => one.subject === subject && one.name === name);
    return `| **${escapeCell(name)}** ${escapeCell(description)} | ${emitLinks(of('pair'))} | ${emitLinks(of('mutation'))} |`;
  });
  return `# What cannot drift apart

The contracts come first, and everything else says what they say: routes, types, clients, documents, error bodies,
packages. Below is every pair that could disagree. The second column is the test that fails when it does; the third is how
that is known: tests that change one side alone, in memory or in a copy, and see the check fail.

A test in a file such as \`*.chromium.test.ts\` runs where there is that program (\`TEST_WITH=chromium pnpm test\`), all others
with \`npm test\`. The stubs are made by Java: whether they are what their templates make of the contract is looked at by
\`pnpm generate:check\` alone. \`.ci/run\` does all of it. The run of the acceptance tests ends with a line for each server, how many of the
answers that its contract declares were seen, and fails if any of them is one that the contract does not allow.

A new pair goes into \`tools/contract/src/pairs-doc/pairs.ts\`. Its tests are called \`pair <name>: …\` and \`mutation <name>: …\`;
\`pnpm generate\` fails while one of them is missing.

| pair | what guards it | what is changed alone, and caught |
|---|---|---|
${rows.join('\n')}
`;
}
