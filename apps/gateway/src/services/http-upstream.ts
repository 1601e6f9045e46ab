import { type Environment, fillTemplate, isHeaderValue, type UpstreamSettings } from '@rostergate/endpoints';
import { parseTarget } from '@rostergate/runtime/upstream';

/** The upstream of an endpoint with its variables filled in: what the headers hold may be secret. */
export interface ResolvedUpstream {
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface UpstreamFaultAt {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** Fills in the variables of the environment; a fault names a variable or a place, never a value. */
export function resolveUpstream(
  settings: UpstreamSettings,
  env: Environment,
): ResolvedUpstream & { readonly faults: readonly UpstreamFaultAt[] } {
  const faults: UpstreamFaultAt[] = [];
  const fill = (template: string, path: UpstreamFaultAt['path']): string | undefined => {
    const { value, missing } = fillTemplate(template, env);
    for (const name of new Set(missing)) {
      faults.push({ path, detail: `needs the variable ${name} of the environment, which is not set` });
    }
    return missing.length === 0 ? value : undefined;
  };
  const targets = settings.targets.flatMap((template, i) => {
    const address = fill(template, ['targets', i]);
    if (address === undefined) return [];
    try {
      return [parseTarget(address).href];
    } catch (error) {
      faults.push({ path: ['targets', i], detail: (error as RangeError).message });
      return [];
    }
  });
  const headers: Record<string, string> = {};
  for (const [name, template] of Object.entries(settings.headers)) {
    const value = fill(template, ['headers', name])?.trim();
    // Nothing to say: the header is left out.
    if (value === undefined || value === '') continue;
    if (isHeaderValue(value)) headers[name] = value;
    else faults.push({ path: ['headers', name], detail: 'comes to characters that a header cannot carry' });
  }
  return { targets, headers, faults };
}
