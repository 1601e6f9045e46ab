import { createTerminal, type Terminal } from '../src/command/terminal.ts';

export interface RecordingTerminal extends Terminal {
  /** Returns everything written so far. */
  readonly output: () => { readonly out: string; readonly err: string };
}

/** Returns a terminal that records what a command writes. */
export function createRecordingTerminal(env: Readonly<Record<string, string>> = {}): RecordingTerminal {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = createTerminal({
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    env,
  });
  return { ...terminal, output: () => ({ out: out.join(''), err: err.join('') }) };
}
