import { createRequire } from 'node:module';
import { ConfigError, parseJsonFileSteps } from '@rostergate/runtime/config';
import type { Steps } from '@rostergate/runtime/steps';
import { isObject, type JsonObject, stepsOfPointer } from './json-pointer.ts';

/** A document that was read, and where things stand in its text. */
export interface DocumentText {
  readonly value: JsonObject;
  /** `:line:column` of the nearest thing at a pointer. */
  locate(pointer: string): string;
}

/** Reads JSON, piece by piece where it is long, or YAML in one go; a string says what is wrong with it. */
export function* readDocumentTextSteps(text: string): Steps<DocumentText | string> {
  if (!text.trimStart().startsWith('{')) return readYaml(text);
  try {
    const file = yield* parseJsonFileSteps(text, '');
    if (!isObject(file.value)) return noObject;
    return { value: file.value, locate: (pointer) => placeOf(file.locate(pointer)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // YAML may begin with a brace as well.
    const yaml = readYaml(text);
    const [fault] = error.faults;
    return typeof yaml === 'string' ? `is not JSON${fault?.where}: ${fault?.detail}` : yaml;
  }
}

const noObject = 'holds no object, so it is no OpenAPI document';

const placeOf = ({ line, column }: { readonly line: number; readonly column: number }): string => `:${line}:${column}`;

const require = createRequire(import.meta.url);

/** Loaded when a document is read: most servers start without any, and it would be a twentieth of their start. */
function loadYaml(): typeof import('yaml') {
  return require('yaml');
}

function readYaml(text: string): DocumentText | string {
  const { LineCounter, parseDocument, YAMLError } = loadYaml();
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
    const [fault] = document.errors;
    if (fault !== undefined) return `is not YAML: ${firstLine(fault.message)}`;
    const value: unknown = document.toJS();
    if (!isObject(value)) return noObject;
    return {
      value,
      locate(pointer) {
        for (let steps = stepsOfPointer(pointer); steps.length > 0; steps = steps.slice(0, -1)) {
          const node = document.getIn(steps, true) ?? document.getIn(steps.map(numberWhereDigits), true);
          const range = (node as { range?: readonly number[] } | undefined)?.range;
          if (range === undefined) continue;
          const { line, col } = lines.linePos(range[0] as number);
          return placeOf({ line, column: col });
        }
        return '';
      },
    };
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError)
      return `is not YAML: ${firstLine(error.message)}`;
    throw error;
  }
}

const numberWhereDigits = (step: string): string | number => (/^\d+$/.test(step) ? Number(step) : step);

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;
