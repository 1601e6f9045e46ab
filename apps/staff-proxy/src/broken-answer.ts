import { Problem } from '@rostergate/runtime/problem';

/** An answer that came to no end, or to a wrong one. */
export function brokeOff(status: number, cause?: unknown): Problem {
  // What has been said of it already stands.
  if (cause instanceof Problem) return cause;
  return new Problem('upstream_failed', `The upstream answered ${status} and broke off. Try again.`, { cause });
}

/** The same as the handler of what fails while an answer is read. */
export function rethrowAsBrokenOff(status: number): (cause: unknown) => never {
  return (cause) => {
    throw brokeOff(status, cause);
  };
}

/** An answer that is something else than the contract's JSON. */
export function notTheContract(status: number, cause?: unknown): Problem {
  const detail = `The upstream answered ${status} with a body that is no JSON of the contract.`;
  return new Problem('upstream_failed', detail, { cause });
}
