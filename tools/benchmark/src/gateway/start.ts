import { type Figure, median, notRun, toFigure } from '../figure.ts';
import { createEndpoints } from './endpoints.ts';
import { type Form, isBuilt, startGateway } from './gateway.ts';

const runs = 7;
const endpoints = createEndpoints(100);

/** Measures the time from starting the process to its first 200 of /health/ready, with 100 endpoints. */
export async function measureStart(say: (text: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const form of ['source', 'built'] as const) {
    const bound = { name: `gateway: start to ready, 100 endpoints (${form})`, max: 400, unit: 'ms' };
    if (form === 'built' && !isBuilt()) {
      figures.push(notRun(bound, 'run pnpm build first'));
      continue;
    }
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      times.push(await startOnce(form));
      say(`${form} ${Math.round(times.at(-1) as number)} ms`);
    }
    const spread = `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} in ${runs} runs`;
    figures.push(toFigure(bound, median(times), spread));
  }
  return figures;
}

async function startOnce(form: Form): Promise<number> {
  const gateway = await startGateway({ endpoints, form, isProbed: false, core: 'any' });
  await gateway.stop();
  return gateway.readyMs;
}
