import { parse } from 'node:querystring';

/**
 * The parameters of a query, decoded; one that comes several times is a list. As Node reads it, and for half of the cost
 * where nothing is encoded. No bound on their count: what is not looked at here would reach handlers that read the query
 * for themselves.
 */
export function parseQuery(text: string): Record<string, unknown> {
  return encoded.test(text) ? parse(text, '&', '=', { maxKeys: 0 }) : parsePlain(text);
}

const encoded = /[%+]/;

function parsePlain(text: string): Record<string, unknown> {
  const query = new Query();
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) {
      const equals = text.indexOf('=', start);
      const hasValue = equals >= 0 && equals < end;
      const name = text.slice(start, hasValue ? equals : end);
      add(query, name, hasValue ? text.slice(equals + 1, end) : '');
    }
    start = end + 1;
  }
  return query;
}

/** Inherits nothing, like what Node makes, and is cheaper to fill than an object without any prototype. */
const Query = function Query() {} as unknown as new () => Record<string, unknown>;
Query.prototype = Object.freeze(Object.create(null));

function add(query: Record<string, unknown>, name: string, value: string): void {
  const known = query[name];
  if (known === undefined) query[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else query[name] = [known, value];
}
