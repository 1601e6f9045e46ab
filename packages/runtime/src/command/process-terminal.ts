import { createTerminal, type Terminal } from './terminal.ts';

/** The outputs of a process. It ends quietly when whoever reads them has seen enough, as `head` has. */
export function createProcessTerminal(process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'exit'>): Terminal {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  return createTerminal(process);
}
