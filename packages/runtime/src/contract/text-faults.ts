import type { Fault } from '../problem/index.ts';

/**
 * Text of a JSON body that no system keeps as it is: an unpaired surrogate (RFC 7493 §2.1) becomes another character
 * on its way out, and U+0000 ends a text in many a database. Without recursion: JSON may be nested a thousand
 * levels deep, and a host application may have parsed what is deeper.
 */
export function findTextFaults(body: unknown): Fault[] {
  const faults: Fault[] = [];
  const pending: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value: body }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'string') {
      if (!isStorable(value)) faults.push({ pointer, detail });
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (!isStorable(name)) faults.push({ pointer, detail: `has a name that ${detail}` });
        else if (mayHoldText(item)) pending.push({ pointer: `${pointer}/${escapeStep(name)}`, value: item });
      }
    }
  }
  return faults.reverse();
}

const detail = 'must be Unicode text without U+0000 and without half a surrogate pair';

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function mayHoldText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** RFC 6901 §3. */
export function escapeStep(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}
