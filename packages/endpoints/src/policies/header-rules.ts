import { didYouMean } from '@rostergate/server/problem';
import type { HeaderRules, Report } from '../configuration-schema.ts';
import { gatewayHeaders, isHeaderName, isHeaderValue } from '../endpoint-upstream.ts';
import {
  type CompiledHeaderRules,
  type HeaderField,
  type HeaderPlaceholder,
  type HeaderTemplate,
  headerPlaceholders,
} from './policy.ts';

/** Headers of the request that only the gateway sets. */
const fixedRequestHeaders: ReadonlySet<string> = new Set([
  ...gatewayHeaders,
  'forwarded',
  'traceparent',
  'tracestate',
  'via',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-request-id',
]);

/** Headers of the response that only the gateway sets. */
const fixedResponseHeaders: ReadonlySet<string> = new Set([
  ...gatewayHeaders,
  'content-encoding',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
]);

/** Returns why a policy must not set a request header; undefined if it may. */
export function faultOfRequestHeader(name: string): string | undefined {
  if (!isHeaderName(name)) return notAName;
  return fixedRequestHeaders.has(name.toLowerCase()) ? ofGateway : undefined;
}

function faultOfResponseHeader(name: string): string | undefined {
  if (!isHeaderName(name)) return notAName;
  if (name.toLowerCase().startsWith('access-control-')) return 'is set by CORS: use a policy of the type "cors"';
  return fixedResponseHeaders.has(name.toLowerCase()) ? ofGateway : undefined;
}

const notAName = 'is not a valid header name (RFC 9110 §5.1)';
const ofGateway = 'is set by the gateway: remove it';

/** Returns the rules in compiled form and reports every fault. */
export function compileHeaderRules(
  { set = {}, add = {}, remove = [] }: HeaderRules,
  side: 'request' | 'response',
  report: Report,
): CompiledHeaderRules {
  const faultOf = side === 'request' ? faultOfRequestHeader : faultOfResponseHeader;
  const places = new Map<string, string>();
  const use = (name: string, place: readonly (string | number)[]): void => {
    const fault = faultOf(name);
    if (fault !== undefined) report(place, fault);
    const other = places.get(name.toLowerCase());
    if (other !== undefined) report(place, `is the same header as in ${other}: remove one of them`);
    places.set(name.toLowerCase(), `${place[0]}`);
  };
  const compile = (given: Readonly<Record<string, string>>, member: 'set' | 'add'): HeaderField[] =>
    Object.entries(given).map(([name, text]) => {
      use(name, [member, name]);
      return { name, value: compileTemplate(text, (detail) => report([member, name], detail)) };
    });
  const fields = [...compile(set, 'set'), ...compile(add, 'add')];
  remove.forEach((name, i) => {
    use(name, ['remove', i]);
  });
  return { dropped: new Set([...Object.keys(set), ...remove].map((name) => name.toLowerCase())), fields };
}

function compileTemplate(text: string, report: (detail: string) => void): HeaderTemplate {
  const value = text.trim();
  if (value === '') report('is empty: list the header in remove');
  else if (!isHeaderValue(value)) report('contains characters that a header cannot carry: use printable ASCII');
  else if (value.includes('${')) report('cannot use environment variables: set the header in upstream.headers');
  const parts = value.split(/\{([a-z_]+)\}/);
  const compiled = parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const placeholder = headerPlaceholders.find((known) => known === part);
    if (placeholder !== undefined) return { placeholder };
    report(
      `names {${part}}, which does not exist.${didYouMean(part, headerPlaceholders) || ` Known: ${headerPlaceholders.join(', ')}.`}`,
    );
    return part;
  });
  return parts.length === 1 ? value : compiled.filter((part) => part !== '');
}

/** The values of the placeholders; undefined for a request without one, such as the owner without a key. */
export type PlaceholderValues = (placeholder: HeaderPlaceholder) => string | undefined;

/** Returns the value of a header; undefined if a placeholder has none. */
export function fillHeader(template: HeaderTemplate, read: PlaceholderValues): string | undefined {
  if (typeof template === 'string') return template;
  let text = '';
  for (const part of template) {
    const value = typeof part === 'string' ? part : read(part.placeholder);
    if (value === undefined) return undefined;
    // Only a name from outside the configuration, such as the owner of a token, has other characters.
    text += isHeaderValue(value) ? value : encodeURIComponent(value);
  }
  return text;
}
