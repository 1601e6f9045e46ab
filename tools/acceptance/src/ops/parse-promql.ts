/** The metrics and labels that a PromQL expression uses, as far as the expressions of ops/ go. */
export interface UsedMetrics {
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels that it groups by. */
  readonly groupedBy: readonly string[];
  /** Words that are neither: a metric without a selector, or a mistyped function. */
  readonly unknown: readonly string[];
}

/** Each metric has to have a selector, an empty one if need be: so nothing is passed over. */
export function parsePromql(expression: string): UsedMetrics {
  const selectors = [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(
    ([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
  const groupedBy = [...expression.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  const rest = expression
    .replace(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without)\s*\(([^)]*)\)/g, ' ');
  const unknown = (rest.match(/[a-zA-Z_][\w:]*/g) ?? []).filter((word) => !functions.has(word));
  return { selectors, groupedBy, unknown };
}

const functions = new Set(['sum', 'min', 'max', 'count', 'rate', 'increase', 'topk', 'histogram_quantile', 'absent']);
