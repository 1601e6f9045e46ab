import { join } from 'node:path';
import { promises } from '../../../acceptance/promises/index.ts';
import { readRecordedFigures } from '../../../acceptance/src/promises/recorded-figures.ts';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { rootFolder } from '../workspace.ts';
import { emitPromisesDoc } from './emit-promises-doc.ts';

/** Writes docs/promises.md from the definitions of the promises and the results of the last full trial of each. */
export async function generatePromisesDoc(): Promise<void> {
  const header = `<!-- ${generatedBy('tools/acceptance/promises')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/promises.md'), header + emitPromisesDoc(promises, readRecordedFigures()));
}
