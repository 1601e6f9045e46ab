import { spawn } from 'node:child_process';

export interface ProgramResult {
  readonly exitCode: number;
  /** Standard output and standard error, in order. */
  readonly output: string;
}

/** Runs a program and returns its output, which callers print only on failure. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...options.env, PWD: options.cwd };
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
