import type { BoundCall, BoundConstant, BoundExpression } from './bound-ast.ts';
import { clockPart, positionMax } from './sql-dialect.ts';
import type { SqlWriter } from './sql-writer.ts';
import { textLength } from './text.ts';

/** A function with its arguments. */
export function callSql(writer: SqlWriter, node: BoundCall): string {
  const [first, second] = node.arguments as [BoundExpression, BoundExpression];
  switch (node.name) {
    case 'startswith':
    case 'endswith':
      return edge(writer, node.name === 'startswith' ? 'start' : 'end', first, second);
    case 'matchespattern':
      return matches(writer, node);
    case 'hour':
    case 'minute':
    case 'second':
    case 'fractionalseconds':
      return clockPart(writer.dialect, node.name, writer.value(first), first.type === 'Edm.TimeOfDay' ? 1 : 12);
    case 'double':
      return writer.dialect.double(writer.value(first));
  }
  const args = node.arguments.map((argument, i) =>
    node.name === 'substring' && i > 0 ? position(writer, argument) : writer.value(argument),
  );
  return writer.dialect.call(node.name, args, writer.bind, writer.share);
}

/** Binding lets no constant below zero through. */
function position(writer: SqlWriter, node: BoundExpression): string {
  if (node.kind !== 'constant' || node.value === null) return writer.dialect.position(writer.value(node), writer.share);
  return writer.bind(Math.min(Number(node.value), positionMax), 'Edm.Int64');
}

function matches(writer: SqlWriter, { name, arguments: [text, pattern] }: BoundCall): string {
  const source = (pattern as BoundConstant).value as string;
  const sql = writer.value(text!);
  return writer.dialect.call(
    name,
    [sql, writer.bind(writer.dialect.pattern(source), 'Edm.String')],
    writer.bind,
    writer.share,
  );
}

function edge(writer: SqlWriter, end: 'start' | 'end', text: BoundExpression, part: BoundExpression): string {
  const a = writer.value(text);
  const b = writer.value(part);
  if (part.kind === 'constant' && typeof part.value === 'string') {
    // Every text starts and ends with the empty one; null stays null.
    if (part.value === '') return writer.share([a], (x) => `${x} = ${x}`);
    return `${writer.dialect.edge(end, a, writer.bind(textLength(part.value), 'Edm.Int32'))} = ${b}`;
  }
  return writer.share([a, b], (x, y) => {
    const found = `${writer.dialect.edge(end, x, `length(${y})`)} = ${y}`;
    return end === 'start' ? found : `CASE WHEN ${y} = '' THEN ${x} = ${x} ELSE ${found} END`;
  });
}
