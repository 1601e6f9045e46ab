import { readFile } from 'node:fs/promises';
import { expect, inject } from 'vitest';
import { pickFreePort } from '../../../../workspace/free-ports.ts';
import { root } from '../pages.ts';
import type { KnownReading } from './reading.ts';

/** The pages at the root of the workspace. */
export const workspaceReadings: readonly KnownReading[] = [
  {
    page: 'README.md',
    headings: ['Start in 60 seconds'],
    async prepare() {
      const { credentials, urls } = inject('servers');
      const lines = Object.entries(credentials).map(([name, value]) => `${name}='${value}'\n`);
      return {
        files: { '.local/demo.env': lines.join('') },
        replaced: {
          'http://127.0.0.1:8000': urls.gateway,
          'http://127.0.0.1:8010': urls['staff-proxy'],
          'http://127.0.0.1:8020': urls.scheduling,
        },
      };
    },
    check({ outputs: [responses] }) {
      expect(responses).toContain('"symbol":"ETH"');
      expect(responses).toContain(`"LastName":"O'Neil"`);
      expect(responses).toContain('"token_type":"bearer"');
    },
  },
  {
    page: 'README.md',
    headings: ['Add a service in five minutes'],
    async prepare() {
      const config = 'apps/gateway/config';
      const { GATEWAY_KEY } = inject('servers').credentials;
      return {
        env: { GATEWAY_KEY, ROSTERGATE_API_KEYS: GATEWAY_KEY },
        files: {
          [`${config}/settings.json`]: await readFile(`${root}${config}/settings.json`, 'utf8'),
          [`${config}/endpoints.json`]: await readFile(`${root}${config}/endpoints.json`, 'utf8'),
        },
        // As `npm start` does.
        before: `rostergate serve --config ${config}\n`,
        doing: ({ language, text }) =>
          language === 'json' ? addEndpoint(`${config}/endpoints.json`, text) : undefined,
        replaced: { '--port 9000': `--port ${await pickFreePort()}` },
      };
    },
    check({ outputs }) {
      const [, , , calls, commands] = outputs;
      expect(calls).toMatch(/^HTTP\/1.1 200 /m);
      expect(calls).toMatch(/^RateLimit: /im);
      expect(calls).toContain('"message":"Hello, Ada."');
      expect(calls).toContain('"code":"validation_failed"');
      expect(calls).toContain('"code":"key_missing"');
      expect(calls).toMatch(/route="\/api\/greet\/\{name\}"/);
      expect(commands).toMatch(/^GET\t\/api\/greet\/\{name\}\t/m);
    },
  },
];

/** Inserts the entry at the start of the list and waits until the gateway has applied it. */
function addEndpoint(file: string, entry: string): string {
  return `sed -i 's|"endpoints": \\[|&${entry.trim()}|' ${file}
until curl -fs http://127.0.0.1:8000/endpoints | grep -q /api/greet; do sleep 0.1; done
`;
}
