import { Agent } from 'node:http';

export interface CallersOptions {
  readonly url: string;
  readonly paths: readonly string[];
  /** Half of them on a kept connection, half on a new one for each request. */
  readonly callers: number;
  /** Asks once and never throws: what was wrong, or undefined for a whole 200. */
  readonly ask: (url: string, agent: Agent) => Promise<string | undefined>;
}

export interface Asked {
  readonly answers: number;
  /** What was not a whole 200. */
  readonly failures: readonly string[];
}

export interface Callers {
  /** Ends it once everybody has their last answer. */
  end(): Promise<Asked>;
}

/** Callers that never pause, each with one request at a time. */
export function runCallers({ url, paths, callers, ask }: CallersOptions): Callers {
  const failures: string[] = [];
  let answers = 0;
  let isEnding = false;
  const agents = Array.from({ length: callers }, (_, i) => new Agent({ keepAlive: i % 2 === 0, maxSockets: 1 }));
  const running = agents.map(async (agent, i) => {
    for (let n = i; !isEnding; n++) {
      const path = paths[n % paths.length] as string;
      const fault = await ask(url + path, agent);
      if (fault === undefined) answers++;
      else failures.push(`${path}: ${fault}`);
    }
  });
  return {
    async end() {
      isEnding = true;
      await Promise.all(running);
      for (const agent of agents) agent.destroy();
      return { answers, failures };
    },
  };
}
