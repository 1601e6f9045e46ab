import { expect } from 'vitest';
import type { KnownReading } from './reading.ts';

const shop = `openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: http://127.0.0.1:9 }]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [orders]
      responses: { '200': { description: All pets. } }
`;

/** The pages about the gateway. */
export const gatewayReadings: readonly KnownReading[] = [
  {
    page: 'apps/gateway/README.md',
    prepare: async () => ({
      env: { KEY: 'a key' },
      files: { 'my-gateway/pets.openapi.yaml': shop },
      replaced: { 'init my-gateway': 'init my-gateway --force' },
      after: 'rostergate validate\nrostergate routes\nrostergate keys list\n',
    }),
    check({ outputs }) {
      expect(outputs[2]).toMatch(/^[0-9a-f]{64} /m);
      expect(outputs.at(-1)).toMatch(/^GET\t\/shop\/pets\t/m);
      expect(outputs.at(-1)).toMatch(/^ops-2\t/m);
    },
  },
];
