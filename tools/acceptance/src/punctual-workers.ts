import type { LogLine, ServerProcess } from './server-process.ts';

/**
 * Runs a test with a gateway that has workers; with another one, at most twice, when the test fails after the gateway
 * has killed a worker for being late, as it does on a busy machine.
 */
export async function withPunctualWorkers<G extends ServerProcess>(
  start: () => Promise<G>,
  run: (gateway: G) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const gateway = await start();
    try {
      return await run(gateway);
    } catch (error) {
      await gateway.stop();
      if (tries === 3 || !gateway.log.some(isOfLateWorker)) throw error;
    }
  }
}

const isOfLateWorker = ({ reason }: LogLine): boolean => /did not reply to|sent no message/.test(String(reason));
