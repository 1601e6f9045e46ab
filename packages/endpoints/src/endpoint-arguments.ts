import { describeIssue } from '@rostergate/config';
import type { EndpointPath } from '@rostergate/server';
import { didYouMean } from '@rostergate/server/problem';
import type { z } from 'zod';
import {
  createConfigurationSchema,
  type EndpointDefinition,
  type ParameterSource,
  type Report,
} from './configuration-schema.ts';
import type { ContractOperation } from './contract/contract-operation.ts';
import type { Argument, Service } from './endpoint.ts';
import { fieldFault } from './field-fault.ts';

type Mapping = EndpointDefinition['parameters'];

/**
 * Returns the source of each parameter of the service and reports the parameters without one. With a contract, only the
 * parameters of the contract can be a source.
 */
export function createArguments(
  service: Service,
  path: EndpointPath,
  mapping: Mapping,
  report: Report,
  contract?: ContractOperation,
): Argument[] {
  const names = Object.keys(service.parameters.shape);
  for (const name of Object.keys(mapping)) {
    if (names.includes(name)) continue;
    report(['parameters', name], `is not a parameter of the service ${service.name}.${didYouMean(name, names)}`);
  }
  const found = names.flatMap((name) => {
    const argument = argumentOf(service, path, name, Object.hasOwn(mapping, name) ? mapping[name] : undefined, report);
    return argument === undefined ? [] : [argument];
  });
  reportSharedKeys(found, report);
  // A raw service gets all path parameters and declares none.
  if (service.raw !== undefined) return [];
  if (contract !== undefined) return found.filter((argument) => isInContract(argument, service, contract, report));
  for (const parameter of path.parameters) {
    if (found.some((argument) => argument.source === 'path' && argument.key === parameter)) continue;
    report(
      ['path'],
      `{${parameter}} is not used by the service ${service.name}. Use the name of a parameter, or map it in parameters.${didYouMean(parameter, names)}`,
    );
  }
  return found;
}

function argumentOf(
  service: Service,
  path: EndpointPath,
  name: string,
  given: Mapping[string] | undefined,
  report: Report,
): Argument | undefined {
  const schema = service.parameters.shape[name] as z.ZodType;
  const { in: place, key: ownKey } = schema.meta() ?? {};
  const isConfiguration = place === 'configuration';
  if (given === undefined) {
    if (place === 'header' || place === 'cookie') {
      const key = typeof ownKey === 'string' ? ownKey : name;
      const fault = fieldFault(place, key, schema);
      if (fault === undefined) return { name, source: place, key };
      report(['service'], `takes "${name}" from the ${place} "${key}", which ${fault}`);
      return undefined;
    }
    if (!isConfiguration) return { name, source: path.parameters.includes(name) ? 'path' : 'query', key: name };
    if (schema.safeParse(undefined).success) return undefined;
    report(['parameters'], `must contain "${name}", which the service ${service.name} requires`);
    return undefined;
  }
  if (!isSource(given)) {
    const checked = schema.safeParse(given);
    if (checked.success) return { name, source: 'configuration', value: given };
    const isMapping = typeof given === 'object' && given !== null && !Array.isArray(given);
    const hint = isMapping
      ? ` To take it from the request, write { "source": "path", "query", "header" or "cookie", "key": "${name}" }.`
      : '';
    for (const issue of checked.error.issues) {
      report(['parameters', name, ...issue.path], `${sentenceOf(issue.message)}${hint}`);
    }
    return undefined;
  }
  const sourceSchema = createConfigurationSchema<ParameterSource>('ParameterSource');
  const checked = sourceSchema.safeParse(given);
  if (!checked.success) {
    for (const issue of checked.error.issues) {
      report(['parameters', name, ...issue.path], describeIssue(sourceSchema, issue, given));
    }
    return undefined;
  }
  const { source, key } = checked.data;
  if (isConfiguration) {
    report(['parameters', name], 'must be a value: this parameter is never read from the request');
  } else if (source === 'path' && !path.parameters.includes(key)) {
    report(['parameters', name, 'key'], `is not a {parameter} of the path.${didYouMean(key, path.parameters)}`);
  } else if (source === 'query' && path.parameters.includes(key)) {
    report(['parameters', name, 'source'], `{${key}} is in the path: write "path"`);
  } else {
    const fault = source === 'header' || source === 'cookie' ? fieldFault(source, key, schema) : undefined;
    if (fault === undefined) return { name, source, key };
    report(['parameters', name, 'key'], fault);
  }
  return undefined;
}

/** Returns a zod message as a sentence, without the value, which may be a secret. */
function sentenceOf(message: string): string {
  const text = message.replace(/^Invalid (input|option): e/, 'E');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Reports a request parameter with two arguments: its schema would be ambiguous. */
function reportSharedKeys(found: readonly Argument[], report: Report): void {
  const users = new Map<string, string>();
  for (const argument of found) {
    if (argument.source === 'configuration') continue;
    const { source, key } = argument;
    const place = `${source} ${source === 'header' ? key.toLowerCase() : key}`;
    const other = users.get(place);
    if (other === undefined) users.set(place, argument.name);
    else
      report(
        ['parameters'],
        `maps "${other}" and "${argument.name}" to the same ${argument.source} parameter "${argument.key}"`,
      );
  }
}

/** Returns whether the contract has the argument's parameter; reports a missing one without a default. */
function isInContract(argument: Argument, service: Service, contract: ContractOperation, report: Report): boolean {
  if (argument.source === 'configuration') return true;
  const { name, source, key } = argument;
  const isSame = (other: unknown) =>
    source === 'header' ? String(other).toLowerCase() === key.toLowerCase() : other === key;
  if (contract.parameters.some((parameter) => parameter.in === source && isSame(parameter.name))) return true;
  if (!(service.parameters.shape[name] as z.ZodType).safeParse(undefined).success) {
    report(
      ['parameters'],
      `must map "${name}" of ${service.name} to another parameter: the contract has no ${source} "${key}"`,
    );
  }
  return false;
}

/** Treats every object with `source` as a mapping, even an invalid one: as a fixed value, the mistake would be hidden. */
function isSource(given: Mapping[string]): boolean {
  return typeof given === 'object' && given !== null && 'source' in given;
}
