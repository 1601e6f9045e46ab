import { availableParallelism, cpus } from 'node:os';

/** For whoever reads figures later; without the speed that some processors change all the time. */
export function describeMachine(): string {
  const model =
    cpus()[0]
      ?.model.replace(/\s*@.*/, '')
      .trim() || process.arch;
  const cores = availableParallelism();
  return `${cores} ${cores === 1 ? 'core' : 'cores'} of ${model}, Node ${process.versions.node}`;
}
