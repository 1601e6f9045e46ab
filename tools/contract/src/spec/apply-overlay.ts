import { exec, type JsonValue } from 'jsonpath-rfc9535';

/** One action of an overlay. It updates or removes the values that `target` (RFC 9535) selects. */
export interface OverlayAction {
  readonly target: string;
  readonly description?: string;
  readonly update?: JsonValue;
  readonly remove?: boolean;
}

/** An OpenAPI Overlay document, https://spec.openapis.org/overlay/v1.0.0. */
export interface Overlay {
  readonly overlay: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly extends?: string;
  /** Names of the fragments whose operations the document has too. */
  readonly 'x-fragments'?: readonly string[];
  readonly actions: readonly OverlayAction[];
}

/**
 * Returns a copy of the document after all actions, in their order.
 * An action that selects nothing throws, because the document has changed. The specification allows such actions.
 */
export function applyOverlay<T extends JsonValue>(document: T, overlay: Overlay): T {
  if (!/^1\.0\.\d+$/.test(overlay.overlay))
    throw new Error(`The overlay version ${overlay.overlay} is not supported: use 1.0.0.`);
  const result = structuredClone(document);
  for (const action of overlay.actions) applyAction(result, action);
  return result;
}

function applyAction(document: JsonValue, action: OverlayAction): void {
  const { target, update, remove } = action;
  const selected: { value: JsonValue; path: (string | number)[] }[] = [];
  exec(document, target, (value, path) => selected.push({ value: value as JsonValue, path: path.map(plainKey) }));
  if (selected.length === 0) throw new Error(`The overlay's target ${target} selects nothing.`);
  if (remove === true) {
    removeAll(
      document,
      selected.map(({ path }) => path),
      target,
    );
    return;
  }
  if (update === undefined) throw new Error(`The overlay's action on ${target} has neither update nor remove.`);
  for (const { value } of selected) {
    if (Array.isArray(value)) value.push(structuredClone(update));
    else if (isObject(value) && isObject(update)) merge(value, update);
    else throw new Error(`The overlay's target ${target} must be an array, or an object that an object updates.`);
  }
}

/** Merges objects member by member and concatenates arrays. All other values are replaced (§4.4.3). */
function merge(into: JsonObject, update: JsonObject): void {
  for (const [key, value] of Object.entries(update)) {
    const present = Object.hasOwn(into, key) ? into[key] : undefined;
    if (isObject(present) && isObject(value)) merge(present, value);
    else if (Array.isArray(present) && Array.isArray(value)) present.push(...structuredClone(value));
    else into[key] = structuredClone(value);
  }
}

function removeAll(document: JsonValue, paths: readonly (string | number)[][], target: string): void {
  const arrays = new Set<JsonValue[]>();
  for (const path of paths) {
    const key = path.at(-1);
    if (key === undefined) throw new Error(`The overlay's target ${target} would remove the whole document.`);
    const steps = path.slice(0, -1);
    const parent = steps.reduce<JsonValue>((value, step) => (value as JsonObject)[step] as JsonValue, document);
    if (Array.isArray(parent)) arrays.add(parent);
    delete (parent as JsonObject)[key];
  }
  // Deleting leaves holes, so that the indexes of the other entries stay valid. filter skips the holes.
  for (const array of arrays) array.splice(0, array.length, ...array.filter(() => true));
}

type JsonObject = { [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unescapes a key of a normalized path (RFC 9535 §2.7), which escapes quotes, backslashes and control characters. */
function plainKey(key: string | number): string | number {
  if (typeof key === 'number' || !key.includes('\\')) return key;
  return key.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code: string | undefined, letter: string) =>
    code === undefined ? (controls[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
