import { availableParallelism, cpus } from 'node:os';

/** Returns cores, CPU model and Node version; without the clock speed, which varies. */
export function describeMachine(): string {
  const model =
    cpus()[0]
      ?.model.replace(/\s*@.*/, '')
      .trim() || process.arch;
  const cores = availableParallelism();
  return `${cores} ${cores === 1 ? 'core' : 'cores'} of ${model}, Node ${process.versions.node}`;
}
