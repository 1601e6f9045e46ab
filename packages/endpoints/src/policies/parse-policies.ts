import { createAddressList, findCorsFault } from '@rostergate/server/edge';
import { didYouMean } from '@rostergate/server/problem';
import { checkDefinition } from '../check-definition.ts';
import {
  type ConfigurationSchemaName,
  createConfigurationSchema,
  type PolicyOfType,
  type Report,
} from '../configuration-schema.ts';
import { isObject } from '../json-pointer.ts';
import { isPolicy } from './define-policy.ts';
import { compileHeaderRules } from './header-rules.ts';
import type { CustomPolicy, ExpressMiddleware, Policy, PolicyModules } from './policy.ts';

/** Returns the valid policies of the file by name; undefined for each that has a fault. Reports every fault. */
export function parsePolicies(
  value: unknown,
  modules: PolicyModules,
  report: Report,
): ReadonlyMap<string, Policy | undefined> {
  const given = isObject(value) && isObject(value.policies) ? value.policies : {};
  const policies = new Map<string, Policy | undefined>();
  for (const [name, entry] of Object.entries(given)) {
    if (name.startsWith('_')) continue;
    policies.set(
      name,
      parsePolicy(name, entry, modules, (path, detail) => report(['policies', name, ...path], detail)),
    );
  }
  return policies;
}

/** Returns the policies of a list of names, and reports the names that do not exist or repeat. */
export function readPolicyNames(
  names: readonly string[],
  policies: ReadonlyMap<string, Policy | undefined>,
  report: (i: number, detail: string) => void,
  before: readonly Policy[] = [],
): readonly Policy[] {
  const found: Policy[] = [];
  names.forEach((name, i) => {
    if (!policies.has(name)) {
      const known = [...policies.keys()];
      const list = known.length === 0 ? ' The file has no policies.' : ` Known policies: ${known.sort().join(', ')}.`;
      report(i, `"${name}" does not exist.${didYouMean(name, known) || list}`);
    } else if (names.indexOf(name) < i) report(i, `repeats "${name}": remove it`);
    else if (before.some((policy) => policy.name === name)) {
      report(i, `"${name}" is one of policies_for_all: remove it here`);
    }
    const policy = policies.get(name);
    if (policy === undefined) return;
    const other = [...before, ...found].find(({ type }) => type === 'cors' && type === policy.type);
    if (other !== undefined && other !== policy) {
      report(i, `"${name}" is the second policy of the type "cors", after "${other.name}": remove one of them`);
    }
    found.push(policy);
  });
  return Object.freeze([...before, ...found]);
}

type PolicyType = Policy['type'];

const schemaNames = {
  addresses: 'AddressesPolicy',
  headers: 'HeadersPolicy',
  cors: 'CorsPolicy',
  body_size: 'BodySizePolicy',
  code: 'CodePolicy',
  express: 'ExpressPolicy',
} as const satisfies Record<PolicyType, ConfigurationSchemaName>;

const types = Object.keys(schemaNames) as PolicyType[];

function parsePolicy(name: string, entry: unknown, modules: PolicyModules, report: Report): Policy | undefined {
  let isSound = true;
  const note: Report = (path, detail) => {
    isSound = false;
    report(path, detail);
  };
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
    note([], 'is not a valid name: begin with a letter, then use up to 63 letters, digits, - and _');
  }
  if (!isObject(entry)) {
    note([], 'is not an object: write { "type": "headers", … }');
    return undefined;
  }
  const type = types.find((known) => known === entry.type);
  if (type === undefined) {
    const list = ` Known types: ${types.join(', ')}.`;
    if (typeof entry.type === 'string') {
      note(['type'], `"${entry.type}" does not exist.${didYouMean(entry.type, types) || list}`);
    } else note(['type'], `is missing.${list}`);
    return undefined;
  }
  const definition = checkDefinition(createConfigurationSchema(schemaNames[type]), entry, note);
  const policy = definition && build(name, definition as unknown as PolicyOfType<PolicyType>, modules, note);
  return isSound ? policy : undefined;
}

function build(
  name: string,
  definition: PolicyOfType<PolicyType>,
  modules: PolicyModules,
  note: Report,
): Policy | undefined {
  switch (definition.type) {
    case 'addresses':
      return buildAddresses(name, definition, note);
    case 'headers': {
      const { request = {}, response = {} } = definition;
      const reportIn =
        (side: string): Report =>
        (path, detail) =>
          note([side, ...path], detail);
      return {
        ...{ name, type: 'headers', given: { request, response } },
        request: compileHeaderRules(request, 'request', reportIn('request')),
        response: compileHeaderRules(response, 'response', reportIn('response')),
      };
    }
    case 'cors': {
      const { origins, credentials = false, max_age_seconds: maxAgeSeconds = 600 } = definition;
      const fault = findCorsFault({ origins, credentials });
      if (fault !== undefined) note([fault.option], fault.detail);
      return { name, type: 'cors', origins, credentials, maxAgeSeconds };
    }
    case 'body_size':
      return { name, type: 'body_size', bytesMax: definition.bytes_max };
    case 'code':
      return buildCode(name, definition, modules, note);
    case 'express':
      return buildExpress(name, definition, modules, note);
  }
}

function buildAddresses(
  name: string,
  { allow = [], deny = [] }: PolicyOfType<'addresses'>,
  note: Report,
): Policy | undefined {
  if (allow.length === 0 && deny.length === 0) note([], 'has neither allow nor deny: list addresses in one of them');
  for (const [member, entries] of Object.entries({ allow, deny })) {
    entries.forEach((entry, i) => {
      try {
        createAddressList([entry]);
      } catch (error) {
        note([member, i], (error as RangeError).message);
      }
    });
  }
  return { name, type: 'addresses', allow, deny };
}

/** Returns the exports of a module; undefined, with a fault, if there are none. */
function findModule(
  module: string,
  modules: PolicyModules,
  note: Report,
): Readonly<Record<string, unknown>> | undefined {
  const file = module.replace(/^\.\//, '');
  const exported = modules.get(file);
  if (exported !== undefined) return exported;
  const known = [...modules.keys()];
  const list = known.length === 0 ? ' The folder has no modules.' : ` Known modules: ${known.sort().join(', ')}.`;
  if (modules.has(file)) note(['module'], `"${file}" does not load: correct it`);
  else note(['module'], `"${file}" is not in the folder of services.${didYouMean(file, known) || list}`);
  return undefined;
}

function buildCode(
  name: string,
  { module, export: wanted, options: given = {} }: PolicyOfType<'code'>,
  modules: PolicyModules,
  note: Report,
): Policy | undefined {
  const exported = findModule(module, modules, note);
  if (exported === undefined) return undefined;
  const found = new Map(Object.entries(exported).filter((pair): pair is [string, CustomPolicy] => isPolicy(pair[1])));
  const distinct = new Set(found.values());
  const policy = wanted === undefined ? (distinct.size === 1 ? [...distinct][0] : undefined) : found.get(wanted);
  if (policy === undefined) {
    const names = [...found.keys()].sort().join(', ');
    if (found.size === 0) note(['module'], `"${module}" exports no policy: write export default definePolicy({ … })`);
    else if (wanted === undefined) note([], `needs export, because "${module}" exports several policies: ${names}`);
    else note(['export'], `"${wanted}" is not a policy of "${module}". Known policies: ${names}.`);
    return undefined;
  }
  const options = readOptions(policy, given, note);
  return { name, type: 'code', module, policy, options, given };
}

function readOptions({ options: schema }: CustomPolicy, given: object, note: Report): unknown {
  if (schema === undefined) {
    for (const key of Object.keys(given)) note(['options', key], 'is not used: the policy declares no options');
    return undefined;
  }
  const parsed = schema.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) note(['options', ...path], `is not valid: ${message}`);
  return parsed.data;
}

function buildExpress(
  name: string,
  { module, export: wanted = 'default' }: PolicyOfType<'express'>,
  modules: PolicyModules,
  note: Report,
): Policy | undefined {
  const exported = findModule(module, modules, note);
  if (exported === undefined) return undefined;
  const middleware = Object.hasOwn(exported, wanted) ? exported[wanted] : undefined;
  if (typeof middleware !== 'function') {
    note(['module'], `"${module}" exports no function "${wanted}": write export default (req, res, next) => { … }`);
    return undefined;
  }
  if (middleware.length > 3) {
    note(
      ['module'],
      `"${wanted}" of "${module}" takes an error as its first argument: name a middleware that takes (req, res, next)`,
    );
    return undefined;
  }
  return { name, type: 'express', module, middleware: middleware as ExpressMiddleware };
}
