import type { AnnotationSegment, ExpandItem, NameSegment, NestedOptions } from './ast.ts';
import type { Lexer } from './lexer.ts';
import { limitError } from './limits.ts';
import { parseItems } from './parse-items.ts';
import { countOptions, expandOptions, parseNestedOptions, refOptions } from './parse-nested-options.ts';
import { parseNameOrAnnotation } from './parse-path.ts';

/** The value of `$expand`: `Tags($filter=Name eq 'x';$top=5),Skillset/$ref,*`. */
export function parseExpandItems(lx: Lexer): ExpandItem[] {
  if (++lx.expandDepth > lx.limits.expandDepthMax) {
    throw limitError('expandDepthMax', lx.limits.expandDepthMax, lx.pos);
  }
  const items = parseItems(lx, parseExpandItem);
  lx.expandDepth--;
  return items;
}

function parseExpandItem(lx: Lexer): ExpandItem {
  const offset = lx.pos;
  const path: (NameSegment | AnnotationSegment)[] = [];
  let star = false;
  let suffix: ExpandItem['suffix'];
  lx.node();
  // Unlike the segments after a slash, this word is read in any case.
  if (lx.take('$')) {
    if (!lx.takeWord('value')) lx.fail(['a name', '*', '$value'], offset);
    suffix = '$value';
  } else {
    for (;;) {
      if (lx.take('*')) {
        star = true;
        if (takeSuffix(lx, '/$ref')) suffix = '$ref';
        break;
      }
      path.push(parseNameOrAnnotation(lx));
      if (lx.peek() !== 47) break;
      lx.pos++;
      if (lx.peek() === 36) {
        if (takeSuffix(lx, '$ref')) suffix = '$ref';
        else if (takeSuffix(lx, '$count')) suffix = '$count';
        else lx.fail(['a name', '*', '$ref', '$count']);
        break;
      }
    }
  }
  let options: NestedOptions | undefined;
  if (lx.peek() === 40 && suffix !== '$value' && !(star && suffix === '$ref')) {
    options = parseNestedOptions(lx, allowedOptions(star, suffix));
  }
  return { path, star, suffix, options, offset, end: lx.pos };
}

function allowedOptions(star: boolean, suffix: ExpandItem['suffix']): readonly string[] {
  if (star) return ['$levels'];
  if (suffix === '$count') return countOptions;
  return suffix === '$ref' ? refOptions : expandOptions;
}

function takeSuffix(lx: Lexer, word: string): boolean {
  const end = lx.pos + word.length;
  if (!lx.text.startsWith(word, lx.pos) || lx.identifierEnd(end - 1) > end) return false;
  lx.pos = end;
  return true;
}
