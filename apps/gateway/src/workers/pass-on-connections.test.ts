import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { passOnConnections } from './pass-on-connections.ts';

function start(hasOthers = true) {
  const sent: unknown[] = [];
  const said: unknown[] = [];
  const channel = Object.assign(new EventEmitter(), {
    connected: true,
    send: (...args: unknown[]) => !!sent.push(args),
  });
  passOnConnections(channel, () => hasOthers);
  const closed: number[] = [];
  const offer = (seq: number) =>
    channel.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq }, { close: () => closed.push(seq) });
  channel.on('internalMessage', (message) => said.push(message));
  return { channel, sent, said, closed, offer };
}

it('says of what a dead worker had not taken that it does not take it, once Node asks it no more', () => {
  const { channel, sent, said, offer } = start();
  for (const seq of [1, 2]) offer(seq);
  channel.send({ cmd: 'ours', seq: 3 });
  channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: true });
  said.length = 0;
  channel.emit('exit', null, 'SIGKILL');
  expect(said).toEqual([]);
  channel.connected = false;
  channel.emit('disconnect');
  expect(said).toEqual([{ cmd: 'NODE_CLUSTER', ack: 2, accepted: false }]);
  expect(sent).toHaveLength(3);
});

it('closes it where nobody else is there', () => {
  const { channel, said, closed, offer } = start(false);
  offer(7);
  channel.connected = false;
  channel.emit('exit', null, 'SIGKILL');
  expect({ said, closed }).toEqual({ said: [], closed: [7] });
});
