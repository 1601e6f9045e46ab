import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DefinitionError } from '@rostergate/endpoints';
import { toError } from '@rostergate/server/lifecycle';
import type { ModuleFile, ModuleGraph } from './service-modules.ts';
import { type ModulePlace, placeInStack, stackOf, withoutVersions } from './service-origin.ts';

/** A fault at a place of a module. */
export interface ModuleFault extends ModulePlace {
  readonly field: string;
  readonly detail: string;
}

/** Returns why a module did not load, with the line at fault: each fault of a service's definition, else one fault. */
export function describeImportError(error: unknown, entry: string, graph: ModuleGraph): ModuleFault[] {
  const message = messageOf(error);
  const place = placeOf(error, graph) ??
    placeOfImport(message, entry, graph) ??
    (error instanceof SyntaxError ? placeOfScript(graph) : undefined) ?? { path: entry, line: 1, column: 1 };
  if (error instanceof DefinitionError) return error.faults.map(({ field, detail }) => ({ ...place, field, detail }));
  const detail = `It does not load: ${firstLine(withoutVersions(message))}${remedyFor(error)}`;
  return [{ ...place, field: '', detail }];
}

/** Returns the place of an error. The stack of a syntax error begins with file, line and a marked excerpt. */
function placeOf(error: unknown, graph: ModuleGraph): ModulePlace | undefined {
  const stack = stackOf(error);
  const syntax = /^(\S+?):(\d+)\n(?:[^\n]*\n){1,4}?( *)\^/.exec(withoutVersions(stack));
  if (syntax === null) return placeInStack(stack);
  const [, url, line, indent] = syntax as unknown as [string, string, string, string];
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  return graph.has(path) ? { path, line: Number(line), column: indent.length + 1 } : undefined;
}

/** Returns the message of an error, or a description of any other thrown value. */
function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message);
  } catch {
    return 'an error was thrown whose message cannot be read.';
  }
  return `${toError(error).message} Throw new Error('…') with a message.`;
}

/** Returns the place of a syntax error in JavaScript: Node does not report it, the TypeScript parser does. */
function placeOfScript(graph: ModuleGraph): ModulePlace | undefined {
  for (const file of graph.values()) {
    try {
      if (/\.m?js$/.test(file.path)) checkSyntax(file);
    } catch (error) {
      return placeOf(error, graph);
    }
  }
  return undefined;
}

/** Parses a module without running it; throws a syntax error. */
export function checkSyntax({ path, text }: Pick<ModuleFile, 'path' | 'text'>): void {
  if (path.endsWith('.json')) JSON.parse(text);
  if (!/\.m?[jt]s$/.test(path)) return;
  const { emitWarning } = process;
  try {
    // Node warns that the parser is experimental; only the place in a message depends on it.
    process.emitWarning = () => undefined;
    stripTypeScriptTypes(text, { sourceUrl: path });
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the place of a failed import: Node reports only the specifier and the importing file. */
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
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return ' (types are only stripped: enum, namespace and parameter properties are not supported).';
  if (code === 'ERR_MODULE_NOT_FOUND')
    return '. Write the extension of relative imports, and install packages beside the services.';
  return '';
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
