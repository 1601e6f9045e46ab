import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

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

/** So long a caller is away between two requests: what is tried meanwhile needs the processor as well. */
const pauseMs = 4;

/** Callers with one request at a time each, who soon come again. */
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
      await wait(pauseMs);
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
