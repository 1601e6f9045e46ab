import { didYouMean } from './did-you-mean.ts';
import { methodNames } from './methods.ts';
import { ODataError } from './odata-error.ts';

/** The canonical function whose name is near to one that does not exist. */
export const nearFunction = (name: string): string | undefined => didYouMean(name, methodNames);

export function unknownFunction(name: string, offset: number): never {
  const suggestion = nearFunction(name);
  const hint = suggestion === undefined ? '.' : `: did you mean ${suggestion}?`;
  throw new ODataError('unknown_function', `There is no function ${name}${hint}`, { offset, didYouMean: suggestion });
}
