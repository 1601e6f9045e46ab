export interface DocumentedCommands {
  /** Texts of the documents, by path. */
  readonly documents: Readonly<Record<string, string>>;
  /** Scripts of the root's package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Text of `.ci/run`. */
  readonly ci: string;
  /** Scripts that CI does not run, each with the reason. */
  readonly notInCi: Readonly<Record<string, string>>;
}

/** Commands of the workspace that a document names and that do not exist, or that CI does not run. */
export function findCommandDrift({ documents, scripts, ci, notInCi }: DocumentedCommands): string[] {
  const run = new Set(stagesOf(ci).map((command) => resolveScript(command, scripts)));
  return Object.entries(documents).flatMap(([file, text]) =>
    scriptsIn(text).flatMap((name) => {
      const script = scripts[name];
      if (script === undefined) return [`${file} names \`pnpm ${name}\`, which package.json has not`];
      if (name in notInCi || run.has(script)) return [];
      return [`${file} names \`pnpm ${name}\`, which .ci/run does not run`];
    }),
  );
}

/** What each stage of `.ci/run` runs, without options and without what installs a program first. */
export function stagesOf(ci: string): string[] {
  return [...ci.matchAll(/^stage \S+ (.+)$/gm)].map(([, command = '']) =>
    command
      .replace(/^with \S+ \S+ /, '')
      .replaceAll(/ --\S+/g, '')
      .trim(),
  );
}

/** `npm test` and `pnpm run x` are what their script says. */
function resolveScript(command: string, scripts: Readonly<Record<string, string>>): string {
  const [, name = ''] = /^p?npm (?:run )?(\S+)$/.exec(command) ?? [];
  return scripts[name] ?? command;
}

/** Names of the scripts in the code of a document, each once. */
function scriptsIn(text: string): string[] {
  const code = [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');
  const names = code.flatMap((each) =>
    [...each.matchAll(/(?:^|[\s;&|(])p?npm (?:run )?(?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => !ofThePackageManager.has(name));
}

/** Words that are no script of ours. */
const ofThePackageManager = new Set([
  'add',
  'audit',
  'changeset',
  'create',
  'dlx',
  'exec',
  'i',
  'init',
  'install',
  'licenses',
  'pack',
  'publish',
  'sbom',
]);
