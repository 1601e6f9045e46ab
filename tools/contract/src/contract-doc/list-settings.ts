import { describeField, type FieldSchemaObject } from '@rostergate/runtime/command';
import type { Listed } from '../guarantees/find-gaps.ts';

/** The part of a zod schema that is read here. */
export interface SettingsSchema {
  readonly shape: Readonly<Record<string, { toJSONSchema(options: object): unknown }>>;
}

/** Every setting with its type, bounds and default. */
export function listSettings({ shape }: SettingsSchema): Listed[] {
  return Object.entries(shape).map(([name, field]) => {
    const schema = field.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as FieldSchemaObject;
    const { type, bounds, default: preset, description } = describeField(schema);
    const standing = preset?.replaceAll('"', '') ?? '';
    const facts = [type, bounds, standing === '' ? '' : `default \`${standing}\``];
    return { name, description: `${description} (${facts.filter((fact) => fact !== '').join('; ')})` };
  });
}
