import type { OpenApiDocument } from '@rostergate/server';
import type { Steps } from '@rostergate/server/steps';
import { createCallExamples } from './call-examples.ts';
import { listOperationsSteps } from './listed-operations.ts';
import { type TaggedBytes, tagText } from './tagged-text.ts';

/** The script of /redoc with the calls of every operation. */
export const codeSamplesFile = 'code-samples.js';

/** A larger document has samples for its first operations only. */
const operationsMax = 1_000;

/** Names of the languages for the highlighting of ReDoc. */
const languages: Readonly<Record<string, string>> = { curl: 'bash', TypeScript: 'typescript', Python: 'python' };

/**
 * Returns a module with the calls of each operation by operationId, as `x-codeSamples`. They are no part of the served
 * document, which they would make several times as long, and which knows no origin: `{origin}` is in its place.
 */
export function* createCodeSamplesSteps(document: OpenApiDocument): Steps<TaggedBytes> {
  const operations = yield* listOperationsSteps(document, ({ operationId }) => operationId !== undefined);
  const lines: string[] = [];
  for (const called of operations.slice(0, operationsMax)) {
    yield;
    const examples = createCallExamples(document, called, { origin: '{origin}', secret: 'YOUR_KEY' });
    const samples = examples.map(({ language, code }) => ({
      lang: languages[language],
      label: language,
      source: code,
    }));
    lines.push(JSON.stringify([called.operation.operationId, samples]));
  }
  return tagText(`export default [\n${lines.join(',\n')}\n];\n`, 'text/javascript; charset=utf-8');
}
