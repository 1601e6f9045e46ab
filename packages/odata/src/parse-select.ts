import type { AnnotationSegment, NameSegment, NestedOptions, SelectItem } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { parseItems } from './parse-items.ts';
import { parseNestedOptions, selectOptions } from './parse-nested-options.ts';
import { parseNameOrAnnotation } from './parse-path.ts';

/** The value of `$select`: `*`, `Name`, `Address/City`, `Address($select=City)`, `Model.*`, `Model.Rate(From,To)`. */
export function parseSelectItems(lx: Lexer): SelectItem[] {
  return parseItems(lx, parseSelectItem);
}

function parseSelectItem(lx: Lexer): SelectItem {
  const offset = lx.pos;
  const path: (NameSegment | AnnotationSegment)[] = [];
  let parameters: string[] | undefined;
  let options: NestedOptions | undefined;
  lx.node();
  const star = lx.take('*');
  if (!star) {
    do path.push(parseNameOrAnnotation(lx));
    while (lx.take('/'));
    if (lx.peek() === 46 && lx.peek(1) === 42 && path.length === 1) {
      lx.pos += 2;
      return { path, star: true, parameters, options, offset, end: lx.pos };
    }
    if (lx.peek() === 40) {
      parameters = parseParameterNames(lx);
      if (parameters === undefined) options = parseNestedOptions(lx, selectOptions);
    }
  }
  return { path, star, parameters, options, offset, end: lx.pos };
}

/** `(Location,Kind)`; undefined, with nothing taken, where options stand in the parentheses. */
function parseParameterNames(lx: Lexer): string[] | undefined {
  const start = lx.pos;
  const next = lx.text.charCodeAt(lx.identifierEnd(start + 1));
  if (next !== 44 && next !== 41) return undefined;
  const names: string[] = [];
  lx.pos++;
  do names.push(lx.identifier('the name of a parameter'));
  while (lx.take(','));
  lx.expect(')');
  return names;
}
