import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** An output stream of a command. */
export interface Output {
  write(text: string): void;
  /** Whether it is a terminal, not a pipe or a file. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; infinite for other outputs. */
  readonly columns: number;
  /** Returns the text in that style when colours are on; otherwise the text. */
  style(style: Style, text: string): string;
}

export interface Terminal {
  readonly out: Output;
  readonly err: Output;
}

/** The part of a process's stream that an output uses. */
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

/** Creates the outputs of a command: with colours on a terminal only, unless NO_COLOR or FORCE_COLOR is set. */
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

/** Follows no-color.org and Node: FORCE_COLOR overrides NO_COLOR and NODE_DISABLE_COLORS. */
function wantsColour(isTerminal: boolean, env: TerminalOptions['env']): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: forbidden, NODE_DISABLE_COLORS: disabled, TERM: kind } = env;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (forbidden || disabled) return false;
  return isTerminal && kind !== 'dumb';
}

/**
 * Writes where a server listens, as an address that terminals open on a click. Writes nothing to other outputs: programs
 * read the log line.
 */
export function writeAddress(output: Output, { address, port, isSecure }: ListeningAddress): void {
  if (!output.isTerminal) return;
  const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host = wildcards[address] ?? (address.includes(':') ? `[${address}]` : address);
  const url = `http${isSecure ? 's' : ''}://${host}:${port}/`;
  output.write(`Listening on ${output.style(['bold', 'underline'], url)}. Ctrl-C stops the server.\n`);
}

export interface ListeningAddress {
  /** An IP address; the wildcard addresses are shown as loopback. */
  readonly address: string;
  readonly port: number;
  /** Whether the server speaks HTTPS. */
  readonly isSecure: boolean;
}

/** Returns the outputs of a process. The process exits silently when a reader such as `head` closes the pipe. */
export function createProcessTerminal(process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'exit'>): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return createTerminal(process);
}
