import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../apps/scheduling/src/demo/random.ts';
import { pollUntil } from '../poll-until.ts';
import { askMany } from '../promises/ask.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { gatewayCount, largeBytes, lastingKey, limitedKey, type Subject, workersOfEach } from './subject.ts';

export interface Stage {
  readonly subject: Subject;
  readonly log: ExchangeLog;
  readonly random: Random;
  /** Records facts of the scenario for the invariants. */
  readonly noteEdit: (gateway: number, generation: number) => void;
  readonly noteLimit: (requests: number) => void;
  /** Revokes the next key of the scenario. */
  readonly revoke: () => Promise<void>;
}

/** Does something to the servers for a second or two, and ends when they are whole again or will be by themselves. */
export type Disturbance = (stage: Stage) => Promise<void>;

const anyGateway = ({ random }: Stage) => random.integer(0, gatewayCount - 1);

async function edit(stage: Stage, gateway: number): Promise<void> {
  const { subject, noteEdit } = stage;
  // Noted first: it may be live before the file system responds.
  noteEdit(gateway, subject.generation(gateway) + 1);
  await subject.edit(gateway);
}

/** Does something to workers of a gateway; resolves when all are whole or replaced. */
async function disturbWorkers({ subject, log }: Stage, gateway: number, disturb: () => unknown): Promise<void> {
  const endBroken = log.allow('connections', gateway);
  const endMissing = log.allow('no worker', gateway);
  await disturb();
  endBroken(500);
  // By then the primary has noticed what has ended.
  await wait(300);
  const areBack = () => subject.workers(gateway).length === workersOfEach;
  await pollUntil(areBack, { withinMs: 20_000, everyMs: 20, describe: subject.output });
  endMissing(500);
}

const pickWorker = ({ subject, random }: Stage, gateway: number): number => {
  const workers = subject.workers(gateway);
  return workers[random.integer(0, workers.length - 1)] ?? 0;
};

const signal = (pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
  try {
    // 0 would be this process.
    if (pid > 0) process.kill(pid, name);
  } catch (error) {
    // It has ended by another disturbance.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Every disturbance by name; a scenario combines two. */
export const disturbances: Readonly<Record<string, Disturbance>> = {
  async reload(stage) {
    for (let i = 0; i < 5; i++) {
      await edit(stage, anyGateway(stage));
      await wait(stage.random.integer(0, 300));
    }
  },
  async 'invalid file'(stage) {
    const gateway = anyGateway(stage);
    await stage.subject.writeEndpoints(gateway, '{"endpoints": [{"path": "/answer", "service": "unknown"}]}');
    await wait(stage.random.integer(50, 800));
    await edit(stage, gateway);
  },
  async 'killed worker'(stage) {
    const gateway = anyGateway(stage);
    await disturbWorkers(stage, gateway, () => signal(pickWorker(stage, gateway), 'SIGKILL'));
  },
  async 'all workers killed'(stage) {
    const gateway = anyGateway(stage);
    await disturbWorkers(stage, gateway, () => {
      for (const pid of stage.subject.workers(gateway)) signal(pid, 'SIGKILL');
    });
  },
  async 'frozen worker'(stage) {
    const gateway = anyGateway(stage);
    const pid = pickWorker(stage, gateway);
    await disturbWorkers(stage, gateway, async () => {
      signal(pid, 'SIGSTOP');
      await wait(stage.random.integer(100, 3_000));
      signal(pid, 'SIGCONT');
    });
  },
  async 'slow upstream'({ subject, log, random }) {
    const end = log.allow('upstream');
    subject.origin.behave({ delayMs: () => random.integer(0, 3_000) });
    await wait(1_500);
    subject.origin.behave({});
    end(5_000);
  },
  async 'broken upstream'({ subject, log, random }) {
    const end = log.allow('upstream');
    subject.origin.behave({ resets: () => random.next() < 0.5 });
    await wait(1_000);
    subject.origin.behave({});
    end(5_000);
  },
  async 'revoked key'(stage) {
    await stage.revoke();
    await wait(500);
  },
  async burst({ subject, log }) {
    const sendTo = (gateway: number) =>
      Promise.all(
        Array.from({ length: 30 }, () =>
          log.ask({ kind: 'limited', gateway, about: 'burst' }, `${subject.url(gateway)}/limited`, {
            headers: { 'X-API-Key': limitedKey },
          }),
        ),
      );
    for (let i = 0; i < 3; i++) {
      await Promise.all(Array.from({ length: gatewayCount }, (_, gateway) => sendTo(gateway)));
      await wait(400);
    }
  },
  async 'changed limit'({ subject, noteLimit, random }) {
    for (const requests of [random.integer(3, 9), random.integer(11, 20), 10]) {
      noteLimit(requests);
      await subject.setLimit(requests);
      await wait(300);
    }
  },
  async 'frozen Redis'({ subject, log, random }) {
    const end = log.allow('store');
    subject.redis.freeze();
    await wait(random.integer(100, 2_000));
    subject.redis.thaw();
    end(3_000);
  },
  async 'killed Redis'({ subject, log, random }) {
    const end = log.allow('store');
    await subject.redis.stop();
    await wait(random.integer(0, 1_000));
    await subject.redis.start();
    end(3_000);
  },
  async restart(stage) {
    const gateway = anyGateway(stage);
    const end = stage.log.allow('connections', gateway);
    const code = await stage.subject.restart(gateway);
    end(500);
    if (code !== 0) throw new Error(`Gateway ${gateway} ended with ${code}.`);
  },
  async 'edited service'(stage) {
    for (let i = 0; i < 2; i++) {
      await stage.subject.editService(anyGateway(stage));
      await wait(stage.random.integer(0, 800));
    }
  },
  async 'failing service'({ subject, log, random }) {
    const gateway = random.integer(0, gatewayCount - 1);
    const ask = (kind: 'throws' | 'hangs', n: number) =>
      log.ask({ kind, gateway, about: n }, `${subject.url(gateway)}/own/${n}?fails=${kind}`);
    await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n % 2 === 0 ? 'throws' : 'hangs', n)));
  },
  async 'issuer away'({ subject, random }) {
    subject.issuer.setAway(true);
    await wait(random.integer(500, 2_000));
    subject.issuer.setAway(false);
  },
  async 'aborted requests'({ subject, random }) {
    const gateway = random.integer(0, gatewayCount - 1);
    const abortSoon = async (n: number) => {
      const paths = [`/forward/aborted-${n}`, `/items/aborted-${n}`, '/events', `/own/${n}?fails=hangs`];
      const url = subject.url(gateway) + paths[n % paths.length];
      const signal = AbortSignal.timeout(random.integer(1, 60));
      await fetch(url, { headers: { 'X-API-Key': lastingKey }, signal })
        .then((response) => response.text())
        .catch(() => '');
    };
    await Promise.all(Array.from({ length: 80 }, (_, n) => abortSoon(n)));
  },
  async 'large bodies'({ subject, log, random }) {
    const gateway = random.integer(0, gatewayCount - 1);
    const send = (n: number) => {
      const id = `large-${n}`;
      const body = JSON.stringify({ id, text: 'x'.repeat(random.integer(0, 2 * largeBytes)) });
      const options = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
      return log.ask({ kind: 'large', gateway, about: id }, `${subject.url(gateway)}/large`, options);
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));
  },
  async 'many connections'({ subject, random }) {
    const gateway = random.integer(0, gatewayCount - 1);
    await askMany({ count: 400, abreast: 100, ask: () => ({ url: `${subject.url(gateway)}/answer` }) });
  },
};
