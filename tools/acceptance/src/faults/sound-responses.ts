import type { SeenRequest } from './read-requests.ts';

/** Returns a person of the contract. */
function createPerson(number: number): Readonly<Record<string, unknown>> {
  return { StaffKey: `S-${number}`, StaffId: `S-${number}`, FirstName: 'Ada', LastName: `Person ${number}`, Fte: 0.5 };
}

/** Returns a roster of about `bytes` bytes. */
export function createRoster(bytes: number): string {
  const people: string[] = [];
  for (let length = 0; length < bytes; length += (people.at(-1) as string).length + 1) {
    people.push(JSON.stringify(createPerson(people.length)));
  }
  return `[${people.join(',')}]`;
}

/** Returns the response of a correct upstream to reads of people and to writes of one. */
export function createSoundResponse({ method, path }: SeenRequest): { readonly status: number; readonly body: string } {
  const isList = /^\/v2\/staffmember(\?|$)/.test(path);
  if (method === 'GET' && isList) return { status: 200, body: JSON.stringify([createPerson(1)]) };
  return { status: method === 'POST' && isList ? 201 : 200, body: JSON.stringify(createPerson(1)) };
}
