import type { Command } from 'commander';

/**
 * Arguments that ask for help, as the parser understands them at any depth: `help keys rotate` and `keys help rotate`
 * become `keys rotate --help`. A name that is none stays alone, so that the parser says so and suggests another.
 */
export function resolveHelp(program: Command, args: readonly string[]): readonly string[] {
  const path: string[] = [];
  let at = program;
  let isAsked = args.includes('--help') || args.includes('-h');
  let isByWord = false;
  for (const word of args) {
    if (at.commands.length === 0 || word.startsWith('-')) break;
    if (word === 'help') {
      isAsked = true;
      isByWord = true;
      continue;
    }
    path.push(word);
    const next = at.commands.find((command) => command.name() === word);
    if (next === undefined) return isAsked ? path : args;
    at = next;
  }
  return isByWord ? [...path, '--help'] : args;
}
