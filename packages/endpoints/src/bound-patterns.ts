import { createSafePattern } from '@rostergate/server';
import type { z } from 'zod';

/**
 * Bounds the time that the patterns of these schemas, and of all schemas within them, may take: the check of a value
 * throws a PatternTimeError when they exceed it together. Zod's own formats have linear patterns, and its unions check a
 * value once however they are nested.
 */
export function boundPatterns(...roots: readonly (z.core.$ZodType | undefined)[]): void {
  const pending: unknown[] = [...roots];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value);
    if (!isSchema(value) || bounded.has(value)) continue;
    bounded.add(value);
    const def = value._zod.def as z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
    for (const check of def.checks ?? []) boundPattern(check._zod.def as PatternDef);
    boundPattern(def as PatternDef);
    if (def.type === 'lazy') pending.push((value as z.core.$ZodLazy)._zod.innerType);
    const { shape, ...members } = def;
    pending.push(...Object.values((shape as object | undefined) ?? {}), ...Object.values(members));
  }
}

const bounded = new WeakSet<object>();

function isSchema(value: unknown): value is z.core.$ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value && 'def' in (value._zod as object);
}

interface PatternDef {
  readonly format?: unknown;
  pattern?: unknown;
}

function boundPattern(def: PatternDef): void {
  if (def.format === 'regex' && def.pattern instanceof RegExp && !(def.pattern instanceof BoundedRegExp)) {
    def.pattern = new BoundedRegExp(def.pattern);
  }
}

class BoundedRegExp extends RegExp {
  readonly #pattern;

  constructor(pattern: RegExp) {
    super(pattern);
    this.#pattern = createSafePattern(pattern.source, pattern.flags);
  }

  override test(text: string): boolean {
    return this.#pattern.test(text);
  }
}
