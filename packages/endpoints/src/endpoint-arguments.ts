import { describeIssue, didYouMean } from '@rostergate/runtime/config';
import type { z } from 'zod';
import {
  createConfigurationSchema,
  type EndpointDefinition,
  type ParameterSource,
  type Report,
} from './configuration-schema.ts';
import type { ContractOperation } from './contract/contract-operation.ts';
import type { Argument, Service } from './endpoint.ts';
import type { EndpointPath } from './endpoint-path.ts';

type Mapping = EndpointDefinition['parameters'];

/**
 * Decides where each parameter of the service comes from; what cannot be decided is reported. Where a contract says
 * what callers send, only its parameters can be taken.
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
    report(['parameters', name], `is no parameter of the service ${service.name}.${didYouMean(name, names)}`);
  }
  const found = names.flatMap((name) => {
    const argument = argumentOf(service, path, name, Object.hasOwn(mapping, name) ? mapping[name] : undefined, report);
    return argument === undefined ? [] : [argument];
  });
  reportSharedKeys(found, report);
  // It is given every parameter of the path, and knows none by name.
  if (service.raw !== undefined) return [];
  if (contract !== undefined) return found.filter((argument) => isInContract(argument, service, contract, report));
  for (const parameter of path.parameters) {
    if (found.some((argument) => argument.source === 'path' && argument.key === parameter)) continue;
    report(
      ['path'],
      `{${parameter}} feeds no parameter of the service ${service.name}: name one, or map it in parameters.${didYouMean(parameter, names)}`,
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
  const isConfiguration = schema.meta()?.in === 'configuration';
  if (given === undefined) {
    if (!isConfiguration) return { name, source: path.parameters.includes(name) ? 'path' : 'query', key: name };
    if (schema.safeParse(undefined).success) return undefined;
    report(['parameters'], `must give "${name}", which the service ${service.name} needs`);
    return undefined;
  }
  if (!isSource(given)) {
    const checked = schema.safeParse(given);
    if (checked.success) return { name, source: 'configuration', value: given };
    const isMapping = typeof given === 'object' && given !== null && !Array.isArray(given);
    const hint = isMapping
      ? ` To take it from the request, write { "source": "path" or "query", "key": "${name}" }.`
      : '';
    for (const issue of checked.error.issues) {
      report(['parameters', name, ...issue.path], `${sentenceOf(issue.message)}${hint}`);
    }
    return undefined;
  }
  const checked = sourceSchema.safeParse(given);
  if (!checked.success) {
    for (const issue of checked.error.issues) {
      report(['parameters', name, ...issue.path], describeIssue(sourceSchema, issue, given));
    }
    return undefined;
  }
  const { source, key } = checked.data;
  if (isConfiguration) {
    report(['parameters', name], 'must be a value: this parameter never comes from the request');
  } else if (source === 'path' && !path.parameters.includes(key)) {
    report(['parameters', name, 'key'], `is no {parameter} of the path.${didYouMean(key, path.parameters)}`);
  } else if (source === 'query' && path.parameters.includes(key)) {
    report(['parameters', name, 'source'], `{${key}} stands in the path: write "path"`);
  } else {
    return { name, source, key };
  }
  return undefined;
}

/** Without the value, which may be a secret of the service. */
function sentenceOf(message: string): string {
  const text = message.replace(/^Invalid (input|option): e/, 'E');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Two arguments from one parameter would leave its schema undecided. */
function reportSharedKeys(found: readonly Argument[], report: Report): void {
  const users = new Map<string, string>();
  for (const argument of found) {
    if (argument.source === 'configuration') continue;
    const place = `${argument.source} ${argument.key}`;
    const other = users.get(place);
    if (other === undefined) users.set(place, argument.name);
    else
      report(
        ['parameters'],
        `takes "${other}" and "${argument.name}" from the same ${argument.source} parameter "${argument.key}"`,
      );
  }
}

/** What the contract does not have is left to the service's default, and missed where there is none. */
function isInContract(argument: Argument, service: Service, contract: ContractOperation, report: Report): boolean {
  if (argument.source === 'configuration') return true;
  const { name, source, key } = argument;
  if (contract.parameters.some((parameter) => parameter.in === source && parameter.name === key)) return true;
  if (!(service.parameters.shape[name] as z.ZodType).safeParse(undefined).success) {
    report(
      ['parameters'],
      `must say where "${name}" of ${service.name} comes from: the contract has no ${source} "${key}"`,
    );
  }
  return false;
}

const sourceSchema = createConfigurationSchema<ParameterSource>('ParameterSource');

/** A value that has `source` means one, however wrong it is: taking it for a fixed value would hide the slip. */
function isSource(given: Mapping[string]): boolean {
  return typeof given === 'object' && given !== null && 'source' in given;
}
