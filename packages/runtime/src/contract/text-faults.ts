import { type Fault, faultsMax } from '../problem/index.ts';

/**
 * Returns the first faults of the texts of a JSON body: an unpaired surrogate (RFC 7493 §2.1) becomes another
 * character on its way out, and U+0000 ends a text in many databases. Without recursion: a host application may have
 * parsed a body of any depth.
 */
export function findTextFaults(body: unknown): Fault[] {
  if (typeof body === 'string') return isStorable(body) ? [] : [{ pointer: '', detail }];
  const faults: Fault[] = [];
  if (!isContainer(body)) return faults;
  const path = [openFrame(body)];
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    const at = frame.next++;
    if (at >= frame.length) {
      path.pop();
      continue;
    }
    const name = frame.names?.[at];
    const value =
      name === undefined ? (frame.holder as unknown[])[at] : (frame.holder as Record<string, unknown>)[name];
    if (name !== undefined && !isStorable(name)) {
      faults.push({ pointer: pointerOf(path.slice(0, -1)), detail: `has a name that ${detail}` });
    } else if (typeof value === 'string') {
      if (!isStorable(value)) faults.push({ pointer: pointerOf(path), detail });
    } else if (isContainer(value)) {
      path.push(openFrame(value));
    }
    if (faults.length >= faultsMax) break;
  }
  return faults;
}

const detail = 'must be Unicode text without U+0000 and without half a surrogate pair';

/**
 * Whether JSON that is valid UTF-8 may hold such a text: both can only be written as an escape. One search of the bytes
 * spares most bodies the walk.
 */
export function mayHoldTextFaults(bytes: Buffer): boolean {
  return bytes.includes('\\u');
}

/** A list or an object on the way to the value that is looked at, and how far it has been walked. */
interface Frame {
  readonly holder: object;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

function openFrame(holder: object): Frame {
  const names = Array.isArray(holder) ? undefined : Object.keys(holder);
  return { holder, names, length: names?.length ?? (holder as unknown[]).length, next: 0 };
}

function pointerOf(path: readonly Frame[]): string {
  return path
    .map(({ names, next }) => `/${names === undefined ? next - 1 : escapeStep(names[next - 1] as string)}`)
    .join('');
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/** RFC 6901 §3. */
export function escapeStep(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}
