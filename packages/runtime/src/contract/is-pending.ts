/**
 * Whether an answer is still to be waited for. By its method, not by its class: the promises of another realm or of a
 * query builder are no `Promise` here, and one that is not waited for would be taken for whom it is to bring.
 */
export function isPending<T>(answer: T | Promise<T>): answer is Promise<T> {
  return typeof (answer as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
