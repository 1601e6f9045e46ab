import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Where a command writes, and what may be written there. */
export interface Output {
  write(text: string): void;
  /** Somebody reads it as it is written; otherwise another program does, or a file keeps it. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; unbounded for anything else. */
  readonly columns: number;
  /** The text in that style where colours are wanted; otherwise the text. */
  style(style: Style, text: string): string;
}

export interface Terminal {
  readonly out: Output;
  readonly err: Output;
}

/** The part of a process's stream that an output needs. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface TerminalOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Outputs for people and programs: colours on a terminal alone, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function createTerminal({ stdout, stderr, env }: TerminalOptions): Terminal {
  return { out: createOutput(stdout, env), err: createOutput(stderr, env) };
}

function createOutput(stream: OutputStream, env: TerminalOptions['env']): Output {
  const isTerminal = stream.isTTY === true;
  const isColoured = wantsColour(isTerminal, env);
  return {
    write: (text) => void stream.write(text),
    isTerminal,
    columns: isTerminal && stream.columns ? stream.columns : Number.POSITIVE_INFINITY,
    style: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** As no-color.org and Node's own terminals have it; what forces comes before what forbids only when both are set. */
function wantsColour(isTerminal: boolean, env: TerminalOptions['env']): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: forbidden, NODE_DISABLE_COLORS: disabled, TERM: kind } = env;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (forbidden || disabled) return false;
  return isTerminal && kind !== 'dumb';
}

/** The outputs of a process. It ends quietly when whoever reads them has seen enough, as `head` has. */
export function createProcessTerminal(process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'exit'>): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return createTerminal(process);
}
