import type { EndpointDefinition, Report } from './configuration-schema.ts';
import type { Service, UpstreamSettings } from './endpoint.ts';
import { type EndpointPath, parseEndpointPath } from './endpoint-path.ts';

type Given = NonNullable<EndpointDefinition['upstream']>;

/** Reads where an endpoint forwards to, if its service does; every fault is reported. */
export function readUpstream(
  given: EndpointDefinition['upstream'],
  service: Service,
  path: EndpointPath,
  report: Report,
): UpstreamSettings | undefined {
  const rules = service.raw?.upstream;
  if (given === undefined || given === null) {
    if (rules !== undefined)
      report(['upstream'], `is missing: the service ${service.name} has to know where to send to`);
    return undefined;
  }
  if (rules === undefined) {
    report(['upstream'], `is of no use to the service ${service.name}: take the service "http", or leave it out`);
  }
  let isSound = true;
  const note: Report = (place, detail) => {
    isSound = false;
    report(['upstream', ...place], detail);
  };
  const settings = toSettings(given);
  if (settings.path !== undefined) checkPath(settings.path, path, note);
  settings.targets.forEach((target, i) => {
    const fault = faultOfTemplate(target);
    if (fault !== undefined) note(['targets', i], fault);
  });
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(settings.headers)) {
    checkHeader(name, value, note);
    const other = names.get(name.toLowerCase());
    if (other !== undefined) note(['headers', name], `is the same header as ${other}: write one of them`);
    names.set(name.toLowerCase(), name);
  }
  if (isSound) for (const fault of rules?.check?.(settings) ?? []) note(fault.path, fault.detail);
  return settings;
}

function toSettings({ targets, path, headers = {}, timeout_ms = 20_000, retries = 2 }: Given): UpstreamSettings {
  return { targets, path: path ?? undefined, headers, timeoutMs: timeout_ms, retries };
}

function checkPath(template: string, path: EndpointPath, note: Report): void {
  if (template === '/') return;
  // Servers there are that want a / at the end.
  const parsed = parseEndpointPath(template.replace(/\/$/, ''));
  if (typeof parsed === 'string') {
    note(['path'], parsed);
    return;
  }
  for (const name of parsed.parameters) {
    if (!path.parameters.includes(name))
      note(['path'], `names {${name}}, which the path of the endpoint does not hold`);
  }
}

function checkHeader(name: string, value: string, note: Report): void {
  const place = ['headers', name];
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) note(place, 'is no name of a header (RFC 9110 §5.1)');
  else if (notToBeSet.has(name.toLowerCase())) note(place, 'is written by the gateway itself: leave it out');
  const fault = faultOfTemplate(value);
  if (fault !== undefined) note(place, fault);
  else if (!isHeaderValue(value))
    note(place, 'holds characters that a header cannot carry: printable ASCII can be sent');
}

/** Printable ASCII, spaces and tabs: what every server reads alike. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(value);
}

const notToBeSet: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Values by name; an empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Text in which `${NAME}` stands for a variable of the environment, and `${NAME:-text}` for the text where there is none.
 * Undefined when it can be read; otherwise what is wrong with it, without repeating it.
 */
export function faultOfTemplate(text: string): string | undefined {
  return text.replaceAll(variable, '').includes('${')
    ? 'has a ${ that is not ${NAME} or ${NAME:-text}, with a name of letters, digits and _'
    : undefined;
}

/** Fills a template in; what it names and the environment lacks is listed. */
export function fillTemplate(text: string, env: Environment): { readonly value: string; readonly missing: string[] } {
  const missing: string[] = [];
  const value = text.replaceAll(variable, (_, name: string, fallback: string | undefined) => {
    const found = (Object.hasOwn(env, name) && env[name]) || fallback;
    if (found === undefined) missing.push(name);
    return found ?? '';
  });
  return { value, missing };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
