import { ODataError, parseQueryOptions, type QueryOptions } from '@rostergate/odata';
import { didYouMean, Problem } from '@rostergate/server/problem';
import { adminScope } from '../keys/proxy-keys.ts';
import type { Policy } from '../staff-call.ts';
import { findFaultInQuery } from './find-fault-in-query.ts';
import type { HiddenParts } from './hidden-parts.ts';

/**
 * Returns the policy that rejects, for keys without the scope `admin`, query options whose result depends on hidden
 * parts: a filter, an order, a count or a search. Selected or expanded hidden parts come back empty, so they are allowed.
 */
export function createHiddenPolicy(parts: HiddenParts): Policy {
  return (call, { scopes }) => {
    // OData options and aliases contain one of these.
    if (scopes.includes(adminScope) || !/[$%@]/.test(call.query)) return call;
    const { operationId } = call.operation;
    if (parts.inResponseOf(operationId) === undefined) return call;
    const names = { hidden: parts.names, visible: parts.visibleIn(operationId) };
    const fault = findFaultInQuery(parse(call.query), names);
    if (fault === undefined) return call;
    const { option, name, isUnknown } = fault;
    if (isUnknown) {
      const guess = didYouMean(name, [...names.visible.values()]);
      throw invalid('odata_invalid', option, `There is no property ${name} here.${guess}`);
    }
    const detail = `${name} is for keys with the scope "${adminScope}": leave it out of ${option}.`;
    throw new Problem('scope_missing', `This key lacks the scope "${adminScope}". ${detail}`, {
      errors: [{ parameter: option, detail }],
    });
  };
}

/** Rejects a query that the parser cannot read: the upstream's parser may accept it. */
function parse(query: string): QueryOptions {
  try {
    return parseQueryOptions(query, { dollarOptional: false });
  } catch (error) {
    if (!(error instanceof ODataError)) throw error;
    const { option, offset, message, status } = error;
    throw invalid(status === 501 ? 'odata_unsupported' : 'odata_invalid', option, message, offset);
  }
}

function invalid(
  code: 'odata_invalid' | 'odata_unsupported',
  option: string | undefined,
  message: string,
  offset?: number,
) {
  const detail = offset === undefined ? message : `At offset ${offset}: ${message}`;
  const fault = { detail, ...(option !== undefined && { parameter: option }) };
  return new Problem(code, option === undefined ? message : `${option}: ${message}`, { errors: [fault] });
}
