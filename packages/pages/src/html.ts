/** Markup made by `html`. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** A value in a template: markup stays as it is, other values are escaped, absent values and false are left out. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Returns markup with all values escaped, for text and quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] as string;
  for (let i = 0; i < values.length; i++) text += textOf(values[i]) + strings[i + 1];
  return new Html(text);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] as string);
}

/** Renders a contract's Markdown as text with code spans. */
export function createProse(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (value === undefined || value === null || value === false) return '';
  return escapeHtml(String(value));
}
