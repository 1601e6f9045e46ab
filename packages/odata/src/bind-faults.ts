import { ODataError } from './odata-error.ts';

/** 501: the standard has it. `what` begins the sentence. */
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
