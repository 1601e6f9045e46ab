/** A piece of a page: text that is markup already, made by `html` alone. */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: markup as it is, all else as text; nothing for what is absent or false. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Makes markup in which no value can become markup by itself, in text as in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] as string;
  for (let i = 0; i < values.length; i++) text += textOf(values[i]) + strings[i + 1];
  return new Html(text);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] as string);
}

/** Text of a contract is Markdown; of that only code is worth its rendering in a list. */
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
