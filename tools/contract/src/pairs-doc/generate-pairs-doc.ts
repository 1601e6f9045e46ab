import { join } from 'node:path';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { loadGuarantees } from '../guarantees/collect-guarantees.ts';
import { findGaps, type GuaranteedThings } from '../guarantees/find-gaps.ts';
import { ToolFailure } from '../tool-failure.ts';
import { rootFolder } from '../workspace.ts';
import { emitPairsDoc } from './emit-pairs-doc.ts';
import { pairs } from './pairs.ts';

const testFiles = ['tools/contract/src/**/*.test.ts', 'tools/acceptance/src/{drift,documents,ops}/*.test.ts'];

/** Writes docs/contract.md from the list of pairs and the titles of their tests. */
export async function generatePairsDoc(): Promise<void> {
  const sources = readPairs();
  const gaps = findGaps(sources);
  if (gaps.length > 0) throw new ToolFailure(`docs/contract.md cannot be written:\n  ${gaps.join('\n  ')}`);
  const header = `<!-- ${generatedBy('tools/contract/src/pairs-doc and the titles of tests')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/contract.md'), header + emitPairsDoc(sources));
}

/** Returns everything that the page names. */
export function readPairs(): GuaranteedThings {
  const listed = { pair: pairs, mutation: pairs };
  return { listed, guarantees: loadGuarantees(testFiles, Object.keys(listed)) };
}
