import { join } from 'node:path';
import { problems } from '@rostergate/server/problem';
import { generatedBy, writeGenerated } from '../generated-file.ts';
import { rootFolder } from '../workspace.ts';
import { emitErrorsDoc } from './emit-errors-doc.ts';

/** Writes docs/errors.md from the one error table. */
export async function generateErrorsDoc(): Promise<void> {
  const header = `<!-- ${generatedBy('packages/server/src/problem/problems.ts')} -->\n`;
  writeGenerated(join(rootFolder, 'docs/errors.md'), header + emitErrorsDoc(problems));
}
