import { expect, it } from 'vitest';
import { emitPairsDoc } from './emit-pairs-doc.ts';

it('gives each pair a section with its checks and the changes that they catch', () => {
  const pair = { name: 'a ⇄ b', description: 'one ⇄ another' };
  const about = { name: pair.name, file: 'tools/x.test.ts' };
  const page = emitPairsDoc({
    listed: { pair: [pair] },
    guarantees: [
      { ...about, subject: 'pair', text: 'they agree' },
      { ...about, subject: 'mutation', text: 'a is renamed' },
    ],
  });
  expect(page).toContain(`
## a ⇄ b

One ⇄ another.

[x.test.ts](../tools/x.test.ts)

- **checked**: they agree
- *caught*: a is renamed
`);
});
