import type { ResponseObject } from './contract-paths.ts';

/** Headers of HTTP and its intermediaries, of every response's protection and of CORS: contracts declare none of them by response. */
const undeclarable =
  /^(access-control-.*|cache-control|connection|content-(encoding|length|security-policy|type)|cross-origin-.*|date|keep-alive|permissions-policy|proxy-status|referrer-policy|strict-transport-security|transfer-encoding|vary|via|x-content-type-options|x-frame-options)$/;

/** The headers of a response that its contract has to declare, in lower case and in order. */
export function namesOfDeclarable(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => !undeclarable.test(name)).sort();
}

/** Headers that are sent and not declared, and required ones that are not sent. */
export function findHeaderFaults({ headers: declared = {} }: ResponseObject, sent: Headers): string[] {
  const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()));
  return [
    ...namesOfDeclarable(sent)
      .filter((name) => !names.has(name))
      .map((name) => `the header ${name} is not declared`),
    ...Object.entries(declared)
      .filter(([name, { required }]) => required === true && !sent.has(name))
      .map(([name]) => `the required header ${name} is missing`),
  ];
}
