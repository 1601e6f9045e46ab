import type { Expression } from './ast.ts';
import { ODataError } from './odata-error.ts';

/** Rejects an unsupported part of the standard with 501. `what` starts the sentence. */
export function unsupported(what: string, offset: number, option?: string): never {
  throw new ODataError('not_supported', `${what} is not supported.`, { offset, option });
}

export function mismatch(message: string, offset: number): never {
  throw new ODataError('type_mismatch', `${message}.`, { offset });
}

export function outOfRange(message: string, offset: number): never {
  throw new ODataError('value_out_of_range', `${message}.`, { offset });
}

export function unknownProperty(message: string, offset: number, suggestion: string | undefined): never {
  const hint = suggestion === undefined ? '.' : `: did you mean ${suggestion}?`;
  throw new ODataError('unknown_property', message + hint, { offset, didYouMean: suggestion });
}

/** Binds an operand. Where text is expected, the error of an unknown name suggests quotes. */
export function bindWithQuoteHint<T>(bind: () => T, node: Expression, expectsText: () => boolean): T {
  try {
    return bind();
  } catch (error) {
    const segment = node.kind === 'path' && node.root === 'member' && node.segments.length === 1 && node.segments[0];
    const isName = segment && segment.kind === 'name' && error instanceof ODataError;
    if (!isName || error.code !== 'unknown_property' || !expectsText()) throw error;
    const { message, offset, didYouMean } = error;
    const hint = `Write '${segment.name}' in single quotes if it is text.`;
    throw new ODataError('unknown_property', `${message} ${hint}`, { offset, didYouMean });
  }
}
