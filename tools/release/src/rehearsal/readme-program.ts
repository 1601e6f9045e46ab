/** The TypeScript of a README and its stated output. */
export interface ReadmeProgram {
  /** The code blocks, joined into one module. */
  readonly code: string;
  /** The output stated in `// → …`. */
  readonly prints: readonly string[];
}

/** Returns the program of a README with its placeholders replaced; undefined if it has no TypeScript. */
export function readReadmeProgram(
  readme: string,
  replaced: Readonly<Record<string, string>> = {},
): ReadmeProgram | undefined {
  // If some are marked as examples, the others are fragments.
  const marked = [...readme.matchAll(/^<!-- example -->\s+```ts\n(.*?)^```$/gms)];
  const blocks = marked.length > 0 ? marked : [...readme.matchAll(/^```ts\n(.*?)^```$/gms)];
  if (blocks.length === 0) return undefined;
  const written = blocks.map(([, block]) => block).join('\n');
  const code = Object.entries(replaced).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The README lacks ${from}.`);
    return text.replaceAll(from, to);
  }, written);
  return { code, prints: [...code.matchAll(/\/\/ → (.*)/g)].map(([, output = '']) => output) };
}

/** Returns the packages of the install line for a project. */
export function readInstallLine(readme: string): string[] {
  const [, names = ''] = /^npm install (?!--global)(.+)$/m.exec(readme) ?? [];
  return names.split(' ').filter(Boolean);
}

/** Returns the TypeScript files that a README shows with their names, such as `services/greet.ts`. */
export function readNamedFiles(readme: string): { path: string; code: string }[] {
  return [...readme.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, path = '', code = '']) => ({
    path,
    code,
  }));
}
