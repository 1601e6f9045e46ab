import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isSignedWith, type ReceivedMessage, startReceiver } from '../../../workspace/webhook-receiver.ts';
import type { AtEnd } from '../at-end.ts';
import { serverPrograms } from '../server-programs.ts';

/** The settings of servers whose webhooks may be followed. */
export const webhookSettings = {
  ROSTERGATE_SCHEDULING_WEBHOOK_SECRET: 'webhook-secret-of-the-promises',
  ROSTERGATE_SCHEDULING_WEBHOOK_PRIVATE_RECEIVERS: '127.0.0.1',
};

/** A client that maintains a copy of a company by the messages of a webhook. */
export interface WebhookFollower {
  /** The copied people as JSON, by key. */
  readonly copy: ReadonlyMap<string, string>;
  readonly messages: number;
  /** Messages that got an error, or no response after they were processed. */
  readonly failed: number;
  /** Messages without a valid signature. */
  readonly forged: number;
  /** Resolves once the copy is complete, or when the time is over. */
  settle(isComplete: () => boolean): Promise<void>;
}

export interface FollowerOptions {
  readonly urls: readonly string[];
  readonly companyKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly databaseEnv: Readonly<Record<string, string>>;
  readonly atEnd: AtEnd;
}

/** Messages by their number, from 1, whose response is an error, or lost after the message was processed. */
const rejected: ReadonlySet<number> = new Set([2, 6]);
const lost: ReadonlySet<number> = new Set([4]);

const settleMsMax = 120_000;

const isTrue = () => true;
const isFalse = () => false;

/** Registers a webhook and reads with the query of each message, from the servers in turn. */
export async function followWebhook(options: FollowerOptions): Promise<WebhookFollower> {
  const { urls, companyKey, headers, databaseEnv, atEnd } = options;
  const receiver = await startReceiver();
  atEnd(receiver.stop);
  const copy = new Map<string, string>();
  let [messages, failed, forged] = [0, 0, 0];
  const args = ['--conditions=source', serverPrograms.scheduling.file, 'webhooks', 'add', receiver.url];
  const env = { ...process.env, ...databaseEnv, ...webhookSettings };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--company', companyKey], { env });
  const secret = stdout.trim();

  async function read({ data }: ReceivedMessage): Promise<void> {
    for (const key of data.deleted) copy.delete(key);
    if (data.query === null) return;
    const response = await fetch(`${urls[messages % urls.length]}/v2/${data.query}`, { headers });
    if (response.status !== 200) throw new Error(`The query of a message has the status ${response.status}.`);
    for (const person of (await response.json()) as { readonly StaffKey: string }[]) {
      copy.set(person.StaffKey, JSON.stringify(person));
    }
  }

  receiver.state.respond = async (message, response) => {
    messages++;
    if (!isSignedWith(secret, message)) forged++;
    const isLost = lost.has(messages);
    const isRejected = rejected.has(messages);
    if (isLost || isRejected) failed++;
    // A message that could not be read comes again, too.
    const isRead = !isRejected && (await read(message).then(isTrue, isFalse));
    if (isLost) response.destroy();
    else response.writeHead(isRead ? 204 : 500).end();
  };
  return {
    copy,
    get messages() {
      return messages;
    },
    get failed() {
      return failed;
    },
    get forged() {
      return forged;
    },
    async settle(isComplete) {
      const endMs = performance.now() + settleMsMax;
      while (!isComplete() && performance.now() < endMs) await wait(500);
    },
  };
}
