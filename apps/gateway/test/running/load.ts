import { type Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Callers, runCallers } from './run-callers.ts';

/** Sends requests until the test ends. Any response except 200, and any failed connection, is a failure. */
export function startLoad(url: string, paths: readonly string[], callers = 4): Callers {
  const load = runCallers({ url, paths, callers, ask: callOnce });
  onTestFinished(async () => void (await load.end()));
  return load;
}

function callOnce(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const req = request(url, { agent }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode === 200 ? undefined : `status ${res.statusCode}`));
      res.on('error', (error) => resolve(error.message));
    });
    req.on('error', (error) => resolve(error.message));
    req.end();
  });
}
