export interface DocumentedCommands {
  /** Texts of the documents, by path. */
  readonly documents: Readonly<Record<string, string>>;
  /** Scripts of the root's package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Text of `.ci/run`. */
  readonly ci: string;
  /** Texts of the workflows, by path. */
  readonly workflows: Readonly<Record<string, string>>;
  /** Scripts that neither CI nor a workflow runs, each with the reason. */
  readonly notInCi: Readonly<Record<string, string>>;
}

/**
 * Returns faults of documented commands: commands that do not exist, commands that CI does not run, and reasons for
 * commands that CI does run.
 */
export function findCommandDrift({ documents, scripts, ci, workflows, notInCi }: DocumentedCommands): string[] {
  const inWorkflows = Object.entries(workflows).flatMap(([file, text]) =>
    scriptsIn(text).map((name) => ({ file, name })),
  );
  const inDocuments = Object.entries(documents).flatMap(([file, text]) =>
    codeOf(text).flatMap((name) => ({ file, name })),
  );
  const run = new Set([
    ...stagesOf(ci).map((command) => resolveScript(command, scripts)),
    ...inWorkflows.map(({ name }) => withoutOptions(scripts[name] ?? name)),
  ]);
  const missing = [...inDocuments, ...inWorkflows].filter(({ name }) => scripts[name] === undefined);
  const idle = inDocuments.filter(
    ({ name }) => scripts[name] !== undefined && !(name in notInCi) && !run.has(withoutOptions(scripts[name])),
  );
  const needless = Object.keys(notInCi).filter((name) => run.has(withoutOptions(scripts[name] ?? '')));
  const uncalled = Object.values(workflows).some((text) => text.includes('.ci/run'));
  return [
    ...(uncalled ? [] : ['no workflow runs .ci/run']),
    ...missing.map(({ file, name }) => `${file} names \`pnpm ${name}\`, which is not in package.json`),
    ...idle.map(({ file, name }) => `${file} names \`pnpm ${name}\`, which CI does not run`),
    ...needless.map((name) => `CI runs \`pnpm ${name}\`: remove the reason for not running it`),
  ];
}

/** Returns the command of each stage of `.ci/run`, without options and without installation wrappers. */
export function stagesOf(ci: string): string[] {
  return [...ci.matchAll(/^stage \S+ (.+)$/gm)].map(([, command = '']) =>
    withoutOptions(command.replace(/^(?:with \S+ \S+ )+/, '')),
  );
}

function withoutOptions(command: string): string {
  return command.replaceAll(/ --\S+/g, '').trim();
}

/** Replaces `npm test` and `pnpm run x` by the script. */
function resolveScript(command: string, scripts: Readonly<Record<string, string>>): string {
  const [, name = ''] = /^p?npm (?:run )?(\S+)$/.exec(command) ?? [];
  return withoutOptions(scripts[name] ?? command);
}

/** Returns the names of the scripts in the code of a document. */
function codeOf(text: string): string[] {
  const code = [...text.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? '');
  return scriptsIn(code.join('\n'));
}

function scriptsIn(code: string): string[] {
  const calls = code.matchAll(/(?:^|[\s;&|(])p?npm (?:--?\w+ )*(?:run )?(?:-s )?([a-z][\w:-]*)/gm);
  const names = new Set([...calls].map(([, name = '']) => name));
  return [...names].filter((name) => !ofThePackageManager.has(name));
}

/** Commands of the package manager. */
const ofThePackageManager = new Set(
  'add audit changeset config create dlx exec i init install licenses pack publish sbom'.split(' '),
);
