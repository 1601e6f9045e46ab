export type Subject = 'setting' | 'field' | 'route' | 'command';

/** What a test promises of a setting, an endpoint's field, a route or a command: its title says so. */
export interface Guarantee {
  readonly subject: Subject;
  readonly name: string;
  readonly text: string;
  /** From the workspace's root. */
  readonly file: string;
}

/** Reads the titles of the form `setting port: 0 takes any free port` from the text of a test file. */
export function collectGuarantees(file: string, source: string): Guarantee[] {
  const titles = source.matchAll(/^ *(?:test|it)(?:\.each\([\s\S]*?\))?\(\s*'((?:[^'\\\n]|\\.)+)'/gm);
  return [...titles].flatMap(([, title = '']) => {
    const [, subject, name, text] = /^(setting|field|route|command) ([^:]+): (.+)$/.exec(title) ?? [];
    if (subject === undefined || name === undefined || text === undefined) return [];
    return [{ subject: subject as Subject, name, text: text.replaceAll("\\'", "'"), file }];
  });
}
