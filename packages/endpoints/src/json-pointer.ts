export type JsonObject = Readonly<Record<string, unknown>>;

/** A schema of OpenAPI 3.0 as plain JSON. */
export type SchemaObject = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the unescaped steps of a pointer (RFC 6901), which may be percent-encoded (§6). */
export function stepsOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Escapes a step of a pointer (RFC 6901 §3). */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the JSON pointer (RFC 6901) of a path. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapeStep(String(step))}`).join('');
}

function decodePercent(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
