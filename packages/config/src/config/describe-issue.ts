import { didYouMean } from '@rostergate/server/problem';
import type { z } from 'zod';
import { inspectField, isSecretAt, schemaAt } from './field-schema.ts';

/**
 * Describes an issue: the schema's message, the given value and the description of the field. It never contains the
 * value of a secret field, nor a message that might quote one.
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
      ? 'It is required.'
      : toSentence(
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
    description === undefined ? '' : toSentence(description),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns how to write a string that was given in place of a number, a boolean or a list. */
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
 * Quotes short scalars, for the reader to recognise the value. It omits text that may be a URL with a user or a query,
 * even a malformed one: they may contain a password or a key.
 */
function showGiven(given: unknown): string {
  if (given === undefined || (typeof given === 'object' && given !== null)) return '';
  if (typeof given === 'string' && mayContainSecret(given)) return '';
  const text = JSON.stringify(given);
  return text.length > 80 ? '' : `Given: ${text}.`;
}

function mayContainSecret(text: string): boolean {
  const slash = text.indexOf('/');
  return text.includes('@') || (slash >= 0 && text.includes('?', slash));
}

function toSentence(text: string): string {
  const whole = text.trim().replaceAll(/\s+/g, ' ');
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
