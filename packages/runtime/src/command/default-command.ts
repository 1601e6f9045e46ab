/** Serving is what most programs are for: where no command is named, the options are those of `serve`. */
export function withDefaultCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined) return ['serve'];
  return first.startsWith('-') && !ownOptions.has(first) ? ['serve', ...args] : args;
}

const ownOptions = new Set(['-h', '--help', '-V', '--version']);
