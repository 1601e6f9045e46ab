import { mediaRanges } from './media-ranges.ts';

/** The forms of a list: a bare JSON array, the OData envelope, or a row for each person. */
export type ListForm = 'array' | 'envelope' | 'csv' | 'ndjson';

/**
 * Returns the form that Accept prefers (RFC 9110 §12.5.1). For wildcards and unknown types it is the array. Of equal
 * weights, the envelope precedes the array, and the array CSV and NDJSON unless only a wildcard names it.
 */
export function chooseListForm(accept = ''): ListForm {
  if (!/odata\.metadata|text\/csv|x-ndjson/i.test(accept)) return 'array';
  const weights = { array: 0, envelope: 0, csv: 0, ndjson: 0 };
  let wildcard = 0;
  let isJsonNamed = false;
  const raise = (form: ListForm, weight: number) => {
    weights[form] = Math.max(weights[form], weight);
  };
  for (const { type, parameters, weight } of mediaRanges(accept)) {
    if (type === 'text/csv') raise('csv', weight);
    else if (type === 'application/x-ndjson') raise('ndjson', weight);
    else if (type === 'application/*' || type === '*/*') wildcard = Math.max(wildcard, weight);
    if (type !== 'application/json') continue;
    isJsonNamed = true;
    const format = parameters.find((one) => one.startsWith('odata.metadata='));
    if (format === undefined) raise('array', weight);
    else if (minimal.has(format)) raise('envelope', weight);
  }
  const rows = weights.csv >= weights.ndjson ? 'csv' : 'ndjson';
  const json = Math.max(weights.array, weights.envelope);
  const isPreferred = isJsonNamed ? weights[rows] > json : weights[rows] >= wildcard;
  if (weights[rows] > 0 && isPreferred) return rows;
  return weights.envelope > 0 && weights.envelope >= weights.array ? 'envelope' : 'array';
}

const minimal: ReadonlySet<string> = new Set(['odata.metadata=minimal', 'odata.metadata="minimal"']);
