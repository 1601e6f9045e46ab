import type { EventEmitter } from 'node:events';

/** As much of a worker's process as is looked at. */
export interface WorkerChannel extends Pick<EventEmitter, 'on' | 'once' | 'emit'> {
  readonly connected: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: Node's own messages go through it too, in several forms.
  send: (...args: any[]) => boolean;
}

/** What Node's cluster says to a worker with a connection, and the worker to that. */
interface ClusterMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Gives a connection that was on its way to a worker when that died to another one. Node waits for the dead one's word:
 * the caller would never hear anything, and the connection would stay open.
 * @param hasOthers whether another worker is there to take it
 */
export function passOnConnections(channel: WorkerChannel, hasOthers: () => boolean): void {
  const offered = new Map<number, { close?: () => void } | undefined>();
  const send = channel.send;
  channel.send = (message: ClusterMessage, connection?: { close?: () => void }, ...more: unknown[]) => {
    const { cmd, act, seq } = message;
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined) offered.set(seq, connection);
    return send.call(channel, message, connection, ...more);
  };
  channel.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) offered.delete(ack);
  });
  const passOn = () => {
    for (const [ack, connection] of offered) {
      // In the words of a worker that stops, after which Node asks the next one.
      if (hasOthers()) channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
      else connection?.close?.();
    }
    offered.clear();
  };
  // Only once the channel is closed has Node struck the worker off the list of those that it asks.
  channel.once('exit', () => {
    if (channel.connected) channel.once('disconnect', passOn);
    else passOn();
  });
}
