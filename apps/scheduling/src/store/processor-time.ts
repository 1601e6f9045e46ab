/**
 * Milliseconds of the processor that this thread has had so far: what is measured by it costs the same however busy the
 * machine is. Where Node cannot tell (before 23.9), the time that has passed.
 */
export const processorTime: () => number =
  typeof process.threadCpuUsage === 'function'
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : () => performance.now();
