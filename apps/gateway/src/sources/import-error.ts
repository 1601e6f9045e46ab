import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DefinitionError } from '@rostergate/endpoints';
import { type ConfigFault, faultAt } from '@rostergate/runtime/config';
import type { ModuleGraph } from './module-graph.ts';
import { withoutVersions } from './service-modules.ts';

/** Why a module did not load, at the line of the file that is to blame: each fault of a service's definition, else one. */
export function describeImportError(
  error: unknown,
  entry: string,
  graph: ModuleGraph,
  show: (path: string) => string,
): ConfigFault[] {
  const message = error instanceof Error ? error.message : String(error);
  const place = placeInStack(error, graph) ??
    placeOfImport(message, entry, graph) ??
    (error instanceof SyntaxError ? placeOfScript(graph) : undefined) ?? { path: entry, line: 1, column: 1 };
  const shown = { file: show(place.path), line: place.line, column: place.column };
  if (error instanceof DefinitionError) return error.faults.map(({ field, detail }) => faultAt(shown, field, detail));
  const detail = `It does not load: ${firstLine(withoutVersions(message))}${remedyFor(error)}`;
  return [faultAt(shown, '', detail)];
}

interface ModulePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Node begins the stack of a syntax error with file and line, then a few lines of it with a mark below. Of any other
 * error the first call from a service counts, not what it called.
 */
function placeInStack(error: unknown, graph: ModuleGraph): ModulePlace | undefined {
  const stack = withoutVersions(error instanceof Error ? (error.stack ?? '') : '');
  const syntax = /^(\S+?):(\d+)\n(?:[^\n]*\n){1,4}?( *)\^/.exec(stack);
  if (syntax !== null) {
    const [, url, line, indent] = syntax as unknown as [string, string, string, string];
    return { path: url.startsWith('file:') ? fileURLToPath(url) : url, line: Number(line), column: indent.length + 1 };
  }
  for (const [, url, line, column] of stack.matchAll(/(file:\/\/[^\s)]+?):(\d+):(\d+)/g)) {
    const path = fileURLToPath(url as string);
    if (graph.has(path)) return { path, line: Number(line), column: Number(column) };
  }
  return undefined;
}

/** Of a plain script Node does not tell where it breaks off; the parser of typed ones does, and takes plain ones too. */
function placeOfScript(graph: ModuleGraph): ModulePlace | undefined {
  for (const { path, text } of graph.values()) {
    if (!/\.m?js$/.test(path)) continue;
    const { emitWarning } = process;
    try {
      // It would warn that it may change: all that would change is the line in a message.
      process.emitWarning = () => undefined;
      stripTypeScriptTypes(text, { sourceUrl: path });
    } catch (error) {
      return placeInStack(error, graph);
    } finally {
      process.emitWarning = emitWarning;
    }
  }
  return undefined;
}

/** Of an import that found nothing, Node says only what and from where. */
function placeOfImport(message: string, entry: string, graph: ModuleGraph): ModulePlace | undefined {
  const named = /Cannot find (?:package|module) '([^']+)' imported from (?:file:\/\/)?([^?\s]+)/.exec(message);
  if (named === null) return undefined;
  const [, target, importer] = named as unknown as [string, string, string];
  const path = graph.has(importer) ? importer : entry;
  const text = graph.get(path)?.text ?? '';
  const wanted = target.slice(target.lastIndexOf('/') + 1);
  const lines = text.split('\n');
  const line = lines.findIndex((each) => /\b(from|import)\b/.test(each) && each.includes(wanted));
  return { path, line: Math.max(line, 0) + 1, column: Math.max((lines[line] ?? '').indexOf(wanted), 0) + 1 };
}

function remedyFor(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return ' (types are only stripped: no enum, no namespace, no parameter properties).';
  if (code === 'ERR_MODULE_NOT_FOUND')
    return '. Relative imports need their extension, packages must be installed beside the services.';
  return '';
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
