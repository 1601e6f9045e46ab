/** What a README promises of its TypeScript. */
export interface ReadmeProgram {
  /** Its blocks, one after the other, as one module. */
  readonly code: string;
  /** What it prints, as told in `// → …`. */
  readonly prints: readonly string[];
}

/** The program of a README, in which what stands for the reader's own is replaced; none where it has no TypeScript. */
export function readReadmeProgram(
  readme: string,
  replaced: Readonly<Record<string, string>> = {},
): ReadmeProgram | undefined {
  // Where some are marked as examples, the others are parts of programs.
  const marked = [...readme.matchAll(/^<!-- example -->\s+```ts\n(.*?)^```$/gms)];
  const blocks = marked.length > 0 ? marked : [...readme.matchAll(/^```ts\n(.*?)^```$/gms)];
  if (blocks.length === 0) return undefined;
  const written = blocks.map(([, block]) => block).join('\n');
  const code = Object.entries(replaced).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The README has no ${from}.`);
    return text.replaceAll(from, to);
  }, written);
  return { code, prints: [...code.matchAll(/\/\/ → (.*)/g)].map(([, said = '']) => said) };
}

/** The packages that a README tells to install for a project. */
export function readInstallLine(readme: string): string[] {
  const [, names = ''] = /^npm install (?!--global)(.+)$/m.exec(readme) ?? [];
  return names.split(' ').filter(Boolean);
}

/** The files of TypeScript that a README shows by name, such as `services/greet.ts`. */
export function readNamedFiles(readme: string): { path: string; code: string }[] {
  return [...readme.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, path = '', code = '']) => ({
    path,
    code,
  }));
}
