import { expect, it } from 'vitest';
import { BorrowedRoom } from './borrowed-room.ts';

const lease = { id: 7, key: 'a', limit: 1_000, room: 20, lifeMs: 100, used: 40, leaving: [30, 5, 60, 1, 200, 34] };
const hit = { keys: ['a'], limits: [1_000] };

function borrow() {
  const time = { ms: 1_000 };
  const room = new BorrowedRoom(() => time.ms);
  // It was asked for ten milliseconds before it came.
  room.accept([lease], time.ms - 10);
  return { room, time };
}

it('admits as much as was lent, under all keys of a hit or none', () => {
  const { room } = borrow();
  expect(room.hit({ keys: ['a', 'b'], limits: [1_000, 1_000] })).toBeUndefined();
  expect(Array.from({ length: 21 }, () => room.hit(hit)).filter(Boolean)).toHaveLength(20);
});

it('ends with its life, which began when it was asked for', () => {
  const { room, time } = borrow();
  time.ms += 89;
  expect(room.hit(hit)).toBeDefined();
  time.ms += 1;
  expect(room.hit(hit)).toBeUndefined();
});

it('tells what is used as the hits before it leave', () => {
  const { room, time } = borrow();
  const told = [0, 30, 29, 1].map((ms) => {
    time.ms += ms;
    return room.hit(hit)?.[0];
  });
  expect(told).toEqual([
    { isAdmitted: true, used: 41, resetMs: 30 },
    { isAdmitted: true, used: 37, resetMs: 30 },
    { isAdmitted: true, used: 38, resetMs: 1 },
    { isAdmitted: true, used: 38, resetMs: 140 },
  ]);
});

it('says when it was used, never earlier than it was', () => {
  const { room, time } = borrow();
  room.hit(hit);
  room.hit(hit);
  time.ms += 20.5;
  room.hit(hit);
  time.ms += 10;
  room.endAll();
  expect(room.takeEnded()).toEqual([{ id: 7, key: 'a', uses: [30, 2, 9, 1] }]);
  expect(room.takeEnded()).toEqual([]);
});

it('ends of a hit that it cannot admit the leases that are full, over or cut from another limit, and keeps the others', () => {
  const { room, time } = borrow();
  room.accept([{ ...lease, id: 8, key: 'b', room: 1 }], time.ms);
  const both = { keys: ['a', 'b'], limits: [1_000, 1_000] };
  room.hit(both);
  room.endFull(both);
  expect(room.takeEnded()).toMatchObject([{ id: 8 }]);
  expect(room.hit(hit)).toBeDefined();
  room.accept([{ ...lease, id: 9, key: 'b' }], time.ms);
  room.endFull({ keys: ['a', 'b'], limits: [1_000, 500] });
  expect(room.takeEnded()).toMatchObject([{ id: 9 }]);
  time.ms += 100;
  room.endFull(hit);
  expect(room.takeEnded()).toMatchObject([{ id: 7 }]);
});
