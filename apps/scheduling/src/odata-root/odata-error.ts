import type { FormProblem } from '@rostergate/server';
import type { Fault, ProblemDocument } from '@rostergate/server/problem';
import { odataVersionFor } from './odata-version.ts';
import { isBelowRoot } from './root-url.ts';

/** Returns the problem of a request to the OData root as OData's error object; undefined for any other request. */
export const formODataError: FormProblem = (document, { url = '', headers }) => {
  if (!isBelowRoot(url.split('?', 1)[0] as string)) return undefined;
  return {
    body: toODataError(document),
    contentType: 'application/json',
    headers: { 'OData-Version': odataVersionFor(headers) },
  };
};

/** Returns the error object of a problem (OData JSON format 4.01, section 21.1): a single fault also names its target. */
export function toODataError({ code, detail, errors = [] }: ProblemDocument) {
  const [first, second] = errors;
  const details = errors.map((fault) => ({ code, message: fault.detail, ...targetOf(fault) }));
  const target = first !== undefined && second === undefined ? targetOf(first) : {};
  return { error: { code, message: detail, ...target, ...(details.length > 0 && { details }) } };
}

function targetOf({ parameter, header, pointer, cookie }: Fault): { readonly target?: string } {
  const target = parameter ?? header ?? pointer ?? cookie;
  return target === undefined ? {} : { target };
}
