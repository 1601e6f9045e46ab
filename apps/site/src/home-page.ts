/** The first lines of README.md, as the home page shows them. */
export interface Hero {
  readonly name: string;
  /** The first sentence. */
  readonly text: string;
  /** The other sentences of the first paragraph. */
  readonly tagline: string;
}

/** Reads the title and the first paragraph of README.md. */
export function readHero(readme: string): Hero {
  const [, name = '', paragraph = ''] = /^# (.+)\n\n((?:.+\n)+)/.exec(readme) ?? [];
  const [, text = '', tagline = ''] = /^(.+?\.) (.*)$/.exec(paragraph.trim().replaceAll('\n', ' ')) ?? [];
  if (text === '') throw new Error('README.md does not begin with a title and a paragraph of several sentences.');
  return { name, text, tagline };
}
