import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { inspectField, isSecretAt, schemaAt } from './field-schema.ts';

/**
 * What to tell of one issue: the schema's message, the value given and what the field is for. The value of a secret
 * field is never part of it, nor is a message that might quote one.
 */
export function describeIssue(schema: z.core.$ZodType, issue: z.core.$ZodIssue, input: unknown): string {
  const given = issue.path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<PropertyKey, unknown>)[step]
        : undefined,
    input,
  );
  const isSecret = isSecretAt(schema, issue.path);
  const field = schemaAt(schema, issue.path);
  const { description, patternMessage } = field === undefined ? {} : inspectField(field);
  const isPattern = issue.code === 'invalid_format' && issue.format === 'regex';
  const parts = [
    given === undefined && issue.code === 'invalid_type'
      ? 'It is needed.'
      : sentence(
          isPattern && patternMessage !== undefined ? `It ${patternMessage}` : messageOf(issue, given, isSecret),
        ),
    isSecret ? '' : showGiven(given),
    issue.code === 'invalid_type' && typeof given === 'string' ? formHint(issue.expected, given, isSecret) : '',
    issue.code === 'invalid_value' && typeof given === 'string' && !isSecret
      ? didYouMean(
          given,
          issue.values.filter((value) => typeof value === 'string'),
        ).trim()
      : '',
    description === undefined ? '' : sentence(description),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** How to write a text that stands where a number, a boolean or a list is expected. */
function formHint(expected: string, given: string, isSecret: boolean): string {
  if (expected === 'array') return 'Write a list, as in ["…"].';
  const isBare = expected === 'boolean' ? /^(true|false)$/ : /^-?\d+(\.\d+)?$/;
  const isForm = expected === 'boolean' || expected === 'number' || expected === 'int';
  return isForm && !isSecret && isBare.test(given) ? 'Write it without quotes.' : '';
}

function messageOf(issue: z.core.$ZodIssue, given: unknown, isSecret: boolean): string {
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => first?.message ?? []) : [];
  const whole = branches.length === 0 ? issue.message : [...new Set(branches)].join(', or ');
  const message = whole.replaceAll(/Invalid (input|option): e/g, 'e').replace(/^e/, 'E');
  const mayQuote = isSecret && (typeof given !== 'string' || (given !== '' && message.includes(given)));
  return mayQuote ? 'The value is not valid.' : message;
}

/**
 * Short scalars only: whoever reads the message should recognise the value, not read all of it. Nothing that
 * may be an address with a user or a query, however badly it is written: there may be a password in the one and a key
 * in the other.
 */
function showGiven(given: unknown): string {
  if (given === undefined || (typeof given === 'object' && given !== null)) return '';
  if (typeof given === 'string' && mayHoldSecret(given)) return '';
  const text = JSON.stringify(given);
  return text.length > 80 ? '' : `Given: ${text}.`;
}

function mayHoldSecret(text: string): boolean {
  const slash = text.indexOf('/');
  return text.includes('@') || (slash >= 0 && text.includes('?', slash));
}

function sentence(text: string): string {
  const whole = text.trim().replaceAll(/\s+/g, ' ');
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
