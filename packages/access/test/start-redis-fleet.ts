import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from 'redis';
import { type RedisServer, startRedis } from './start-redis.ts';

/** Several Redis processes that appear as one. */
export interface RedisFleet {
  readonly url: string;
  /** Kills the master of the client `key`, or the only one; another process takes its place. */
  killMaster(): Promise<void>;
  close(): Promise<void>;
}

/** Sends commands to a process, one after the other; returns the last response. */
async function askAll(server: RedisServer, commands: readonly string[][]): Promise<unknown> {
  const client = createClient({ url: server.url, RESP: 2 });
  client.on('error', () => {});
  await client.connect();
  try {
    let response: unknown;
    for (const command of commands) response = await client.sendCommand(command);
    return response;
  } finally {
    client.destroy();
  }
}

const ask = (server: RedisServer, ...command: string[]) => askAll(server, [command]);

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!(await isDone().catch(() => false))) {
    if (performance.now() > deadlineMs) throw new Error(`Not within 30 s: ${what}.`);
    await wait(50);
  }
}

/**
 * Waits until the replica has all writes. A new one reports its link as up, and its master calls it online, up to a
 * second before the first write is sent to it.
 */
async function untilReplicated(master: RedisServer): Promise<void> {
  // A write in the slots of the first master of a cluster.
  const write = [
    ['SET', 'bar', ''],
    ['WAIT', '1', '1000'],
  ];
  await until('the replica has all writes', async () => Number(await askAll(master, write)) === 1);
}

/** Starts a cluster of three masters, and a replica of the first one, which `killMaster` kills. */
export async function startRedisCluster(): Promise<RedisFleet> {
  const more = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '1000', 'repl-diskless-sync-delay': '0' };
  const nodes = await Promise.all([1, 2, 3, 4].map(() => startRedis({ more })));
  const [first, second, third, replica] = nodes as [RedisServer, RedisServer, RedisServer, RedisServer];
  const ranges = ['0 5460', '5461 10922', '10923 16383'];
  await Promise.all(
    [first, second, third].map((node, i) => ask(node, 'CLUSTER', 'ADDSLOTSRANGE', ...(ranges[i] as string).split(' '))),
  );
  // Nodes with the same epoch would first have to agree on another one.
  await Promise.all(nodes.map((node, i) => ask(node, 'CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1))));
  for (const node of [second, third, replica]) await ask(node, 'CLUSTER', 'MEET', '127.0.0.1', String(first.port));
  const isOk = async (node: RedisServer) => /cluster_state:ok/.test(String(await ask(node, 'CLUSTER', 'INFO')));
  const knows = async (node: RedisServer) => /cluster_known_nodes:4/.test(String(await ask(node, 'CLUSTER', 'INFO')));
  await until('the nodes know each other', async () => (await Promise.all(nodes.map(knows))).every(Boolean));
  await ask(replica, 'CLUSTER', 'REPLICATE', String(await ask(first, 'CLUSTER', 'MYID')));
  await untilReplicated(first);
  await until('the cluster is ready', async () => (await Promise.all(nodes.map(isOk))).every(Boolean));
  return {
    url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    async killMaster() {
      await untilReplicated(first);
      await first.stop();
      await until('the replica is the master', async () => /role:master/.test(String(await ask(replica, 'INFO'))));
      await until('the cluster is ready again', () => isOk(second));
    },
    close: async () => void (await Promise.all(nodes.map((node) => node.close()))),
  };
}

/** Starts a master, a replica, and a sentinel that promotes the replica when the master is gone. */
export async function startRedisSentinel(): Promise<RedisFleet> {
  const more = { 'repl-diskless-sync-delay': '0' };
  const master = await startRedis({ more });
  const replica = await startRedis({ more: { ...more, replicaof: `127.0.0.1 ${master.port}` } });
  await untilReplicated(master);
  const sentinel = await startRedis({
    sentinel: [
      `sentinel monitor limits 127.0.0.1 ${master.port} 1`,
      'sentinel down-after-milliseconds limits 1000',
      'sentinel failover-timeout limits 5000',
    ],
  });
  await until('the sentinel knows the replica', async () => {
    const found = (await ask(sentinel, 'SENTINEL', 'REPLICAS', 'limits')) as unknown[];
    return found.length === 1;
  });
  return {
    url: `redis-sentinel://127.0.0.1:${sentinel.port}/0?master=limits`,
    async killMaster() {
      await untilReplicated(master);
      await master.stop();
      await until('the replica is the master', async () => /role:master/.test(String(await ask(replica, 'INFO'))));
    },
    close: async () => void (await Promise.all([sentinel, master, replica].map((node) => node.close()))),
  };
}
