/** JSON as people write it: the members of the value stand below each other, and in them what fits on one line. */
export function formatJson(value: unknown, { unit, eol, indent = '' }: JsonStyle): string {
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

export interface JsonStyle {
  /** One level of indentation, and the end of a line. */
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
