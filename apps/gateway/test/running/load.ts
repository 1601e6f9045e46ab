import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Load {
  /** Ends it; what went wrong, and how many answers there were. */
  readonly end: () => Promise<{ readonly failures: readonly string[]; readonly answers: number }>;
}

/**
 * Callers that never pause, some on kept connections and some on a new one for each request. Any answer but 200, and
 * any connection that fails, is a failure.
 */
export function startLoad(url: string, paths: readonly string[], callers = 4): Load {
  const failures: string[] = [];
  let answers = 0;
  let isEnding = false;
  const agents = Array.from({ length: callers }, (_, i) => new Agent({ keepAlive: i % 2 === 0, maxSockets: 1 }));
  const running = agents.map(async (agent, i) => {
    for (let n = i; !isEnding; n++) {
      const path = paths[n % paths.length] as string;
      const fault = await callOnce(url + path, agent);
      if (fault === undefined) answers++;
      else failures.push(`${path}: ${fault}`);
    }
  });
  const end = async () => {
    isEnding = true;
    await Promise.all(running);
    for (const agent of agents) agent.destroy();
    return { failures, answers };
  };
  onTestFinished(async () => void (await end()));
  return { end };
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
