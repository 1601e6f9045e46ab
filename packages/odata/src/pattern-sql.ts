import { type CharacterSet, type Pattern, parsePattern } from './pattern-tree.ts';

/** The same pattern as one of PostgreSQL's advanced regular expressions, spelled out so that no locale matters. */
export function postgresPattern(source: string): string {
  return `***:${write(parsePattern(source))}`;
}

function write(node: Pattern): string {
  switch (node.kind) {
    case 'empty':
      return '(?:)';
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'set':
      return writeSet(node.set);
    case 'sequence':
      return node.items.map(write).join('');
    case 'choice':
      return `(?:${node.items.map(write).join('|')})`;
    case 'repeat': {
      const max = node.max === Number.POSITIVE_INFINITY ? '' : node.max;
      return `(?:${write(node.item)}){${node.min},${max}}`;
    }
  }
}

function writeSet({ negated, ranges }: CharacterSet): string {
  const [range] = ranges;
  if (!negated && ranges.length === 1 && range![0] === range![1]) return spell(range![0]);
  const members = ranges.map(([from, to]) => (from === to ? spell(from) : `${spell(from)}-${spell(to)}`));
  return `[${negated ? '^' : ''}${members.join('')}]`;
}

const spell = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;
