/** The metrics and labels of a PromQL expression, as far as ops/ needs. */
export interface UsedMetrics {
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** The labels of `by` and `without`. */
  readonly groupedBy: readonly string[];
  /** Other words: a metric without a selector, or a misspelled function. */
  readonly unknown: readonly string[];
}

/** Parses an expression in which each metric has a selector, which may be empty. */
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
