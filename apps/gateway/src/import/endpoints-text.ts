import { parseJsonFile } from '@rostergate/config';
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';
import { ImportError } from './import-options.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** One change of an entry; `value` undefined removes the member. */
export interface EntryChange {
  readonly path: JSONPath;
  readonly value: unknown;
}

/** The text of endpoints.json, edited in place: unchanged parts keep their formatting. */
export interface EndpointsText {
  readonly entries: readonly Entry[];
  edit(edits: EndpointsEdits): string;
}

export interface EndpointsEdits {
  readonly changed: ReadonlyMap<number, readonly EntryChange[]>;
  readonly removed: readonly number[];
  readonly added: readonly object[];
}

/**
 * Parses endpoints.json, or starts a new one.
 * @throws ConfigError with the position if it is not JSON, ImportError if it has no list of endpoints.
 */
export function openEndpointsText(given: string | undefined, path = 'endpoints.json'): EndpointsText {
  const text = given === undefined || given.trim() === '' ? '{\n  "endpoints": []\n}\n' : given;
  const value = parseJsonFile(text, path).value as { readonly endpoints?: unknown };
  const list = value?.endpoints ?? [];
  if (typeof value !== 'object' || value === null || !Array.isArray(list)) {
    throw new ImportError(
      'endpoints.json contains no list of endpoints. Fix it first: rostergate validate reports the position.',
    );
  }
  return { entries: list as Entry[], edit: (edits) => editText(text, edits) };
}

function editText(text: string, { changed, removed, added }: EndpointsEdits): string {
  const style = styleOf(text);
  const list = listOf(text);
  const withList = list === undefined ? applyEdits(text, modify(text, ['endpoints'], [], optionsOf(style))) : text;
  const array = list ?? (listOf(withList) as Node);
  const entries = array.children ?? [];
  const replacements = [...changed].map(([index, changes]) => {
    const { offset, length } = entries[index] as Node;
    const entry = changes.reduce(
      (current, { path, value }) => applyEdits(current, modify(current, path, value, optionsOf(style))),
      withList.slice(offset, offset + length),
    );
    return { offset, length, content: entry };
  });
  if (added.length > 0) replacements.push(insertion(withList, array, added, style));
  const edited = applyEdits(withList, replacements);
  return [...removed]
    .sort((a, b) => b - a)
    .reduce(
      (current, index) => applyEdits(current, modify(current, ['endpoints', index], undefined, optionsOf(style))),
      edited,
    );
}

function listOf(text: string): Node | undefined {
  const tree = parseTree(text);
  return tree && findNodeAtLocation(tree, ['endpoints']);
}

function insertion(text: string, array: Node, added: readonly object[], style: JsonStyle) {
  const { unit, eol } = style;
  const base = indentAt(text, array.offset);
  const last = array.children?.at(-1);
  const indent = last !== undefined && startsLine(text, last.offset) ? indentAt(text, last.offset) : base + unit;
  const entries = added.map((entry) => indent + formatJson(entry, { unit, eol, indent })).join(`,${eol}`);
  return last === undefined
    ? { offset: array.offset, length: array.length, content: `[${eol}${entries}${eol}${base}]` }
    : { offset: last.offset + last.length, length: 0, content: `,${eol}${entries}` };
}

/** Returns the indentation of a line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

function styleOf(text: string): JsonStyle {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function optionsOf({ unit, eol }: JsonStyle) {
  const insertSpaces = !unit.startsWith('\t');
  return { formattingOptions: { insertSpaces, tabSize: insertSpaces ? unit.length : 1, eol } };
}

/** Formats JSON like people do: one member per line, and values that fit on the line in one line. */
function formatJson(value: unknown, { unit, eol, indent = '' }: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return flatJson(value);
  const inner = indent + unit;
  const format = (member: unknown): string => {
    const flat = flatJson(member);
    return inner.length + flat.length <= 100 ? flat : formatJson(member, { unit, eol, indent: inner });
  };
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((item) => inner + format(item))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${format(item)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}${eol}${lines.join(`,${eol}`)}${eol}${indent}${close}`;
}

interface JsonStyle {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
  readonly indent?: string;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
