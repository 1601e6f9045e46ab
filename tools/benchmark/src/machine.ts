import { availableParallelism, cpus } from 'node:os';

/** Of this machine and this day, for whoever reads figures later. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() || process.arch;
  const cores = availableParallelism();
  const today = new Date().toISOString().slice(0, 10);
  return `${today}, ${model}, ${cores} ${cores === 1 ? 'core' : 'cores'}, Node ${process.versions.node}`;
}
