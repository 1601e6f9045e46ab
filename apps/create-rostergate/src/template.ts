/** The files of a project by path, with their texts. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** Projects by name. */
export type Templates = Readonly<Record<string, ProjectFiles>>;

/** Returns the names, first the three servers, then further examples. */
export function listNames(templates: Templates): string[] {
  const servers = ['front-an-api', 'staff-proxy', 'staff-sync'];
  return [...servers, ...Object.keys(templates).filter((name) => !servers.includes(name))];
}

/** Returns the title of a project's README. */
export function titleOf(files: ProjectFiles): string {
  return /^# (.+)$/m.exec(files['README.md'] ?? '')?.[1] ?? '';
}

/** Returns the commands that a project's README begins with. */
export function firstCommands(files: ProjectFiles): string[] {
  const [, block = ''] = /```sh\n(.+?)\n```/s.exec(files['README.md'] ?? '') ?? [];
  return block.split('\n');
}
