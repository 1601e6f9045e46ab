import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface CallersOptions {
  readonly url: string;
  readonly paths: readonly string[];
  /** Half of them reuse a connection, half open a new one for each request. */
  readonly callers: number;
  /** Sends one request and returns the fault, or undefined for a complete 200; never throws. */
  readonly ask: (url: string, agent: Agent) => Promise<string | undefined>;
}

export interface Asked {
  readonly answers: number;
  /** Responses that were not a complete 200. */
  readonly failures: readonly string[];
}

export interface Callers {
  /** Returns the number of complete 200 responses so far. */
  readonly answers: () => number;
  /** Stops after the last responses. */
  end(): Promise<Asked>;
}

/** The pause of a caller between two requests, which leaves CPU time to the tested edits. */
const pauseMs = 4;

/** Starts callers, each with one request at a time. */
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
    answers: () => answers,
    async end() {
      isEnding = true;
      await Promise.all(running);
      for (const agent of agents) agent.destroy();
      return { answers, failures };
    },
  };
}
