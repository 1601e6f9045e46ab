import { ODataError, parseQueryOptions, type QueryOptions } from '@rostergate/odata';
import { didYouMean, Problem } from '@rostergate/server/problem';
import { adminScope } from '../keys/proxy-keys.ts';
import type { Settings } from '../settings.ts';
import type { Policy } from '../staff-call.ts';
import { findFaultInConditions, findFaultInQuery } from './find-fault-in-query.ts';
import type { HiddenParts, PropertyNode } from './hidden-parts.ts';

/**
 * Returns the policy that rejects, for keys without the scope `admin`, query options whose result depends on hidden
 * parts: a filter, an order, a count or a search. Selected or expanded hidden parts come back empty, so they are allowed.
 * In front of the vendor, keys with the scope may use in conditions only what their responses can contain: the vendor
 * computes with all its members, while an upstream of the contract rejects other names itself.
 */
export function createHiddenPolicy(parts: HiddenParts, form: Settings['upstream_form']): Policy {
  const all = anyPropertyBut(parts.writeOnly);
  return (call, { scopes, keepsUnknownMembers }) => {
    const isAdmin = scopes.includes(adminScope);
    // OData options and aliases contain one of these.
    if ((isAdmin && form === 'contract') || !/[$%@]/.test(call.query)) return call;
    const { operationId } = call.operation;
    // All operations with OData options have hidden parts.
    if (parts.inResponseOf(operationId) === undefined) return call;
    const options = parse(call.query);
    const known = isAdmin ? parts.readableIn(operationId) : parts.visibleIn(operationId);
    const fault = isAdmin
      ? findFaultInConditions(options, { hidden: noNames, usable: keepsUnknownMembers === true ? all : known })
      : findFaultInQuery(options, { hidden: parts.names, usable: known });
    if (fault === undefined) return call;
    const { option, name, isUnknown } = fault;
    if (isUnknown) {
      const names = Array.from(known.values(), (property) => property.name);
      const guess = didYouMean(name, names);
      throw invalid('odata_invalid', option, `There is no property ${name} here.${guess}`);
    }
    if (isAdmin) throw invalid('odata_unsupported', option, `${name} is not supported.`);
    const detail = `${name} is for keys with the scope "${adminScope}": leave it out of ${option}.`;
    throw new Problem('scope_missing', `This key lacks the scope "${adminScope}". ${detail}`, {
      errors: [{ parameter: option, detail }],
    });
  };
}

const noNames: ReadonlySet<string> = new Set();

/** Returns properties of every name but these, at any depth. */
function anyPropertyBut(names: ReadonlySet<string>): PropertyNode['properties'] {
  const properties: PropertyNode['properties'] = {
    get: (name) => (names.has(name) ? undefined : { name, properties }),
  };
  return properties;
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
