import { delimiter, dirname } from 'node:path';
import { expect } from 'vitest';
import { loadTemplates } from '../../../../../apps/create-rostergate/src/load-templates.ts';
// Tools may import files that packages do not export.
import { createProject } from '../../../../../apps/create-rostergate/src/project.ts';
import { pickFreePort } from '../../../../workspace/free-ports.ts';
import { createClientModule } from '../../clients/client-module.ts';
import { startOidcIssuer } from '../../oidc-issuer.ts';
import { whenTestEnds } from '../../when-test-ends.ts';
import type { Reading } from '../read-page.ts';
import type { KnownReading } from './reading.ts';

const templates = loadTemplates();

/** The READMEs of the examples, in projects as `npm create rostergate` writes them. */
export const exampleReadings: readonly KnownReading[] = [
  {
    page: 'examples/front-an-api/README.md',
    async prepare() {
      const port = String(await pickFreePort());
      const files = Object.entries(projectOf('front-an-api')).map(([path, text]) => [
        path,
        text.replaceAll('9000', port),
      ]);
      const replaced = { 'node api.ts &': `node api.ts &\nready ${port}` };
      return { files: Object.fromEntries(files), env: ownNode, before: 'rostergate validate\n', replaced };
    },
    check({ outputs: [validated, , responses] }) {
      expect(validated).toContain('Valid');
      expect(responses).toContain('[{"id":1,"item":"lamp","count":2}]');
      expect(responses).toMatch(/"code":"validation_failed".*"\/count"/);
      expect(responses).toContain('"code":"key_missing"');
      expect(responses).toContain('{"cents":790}');
    },
  },
  {
    page: 'examples/oidc/README.md',
    async prepare() {
      const issuer = await startOidcIssuer(whenTestEnds);
      const { 'settings.json': settings = '', ...files } = projectOf('oidc');
      return {
        files: { ...files, 'settings.json': settings.replace('https://id.example.com', issuer.url) },
        replaced: { 'https://id.example.com': issuer.url },
        env: { CLIENT_SECRET: issuer.clientSecret },
      };
    },
    check({ outputs: [validated, responses] }) {
      expect(validated).toContain('Valid');
      expect(responses).toContain('{"owner":"corp:orders-app","items":["lamp"]}');
      expect(responses).toContain('"code":"token_invalid"');
    },
  },
  {
    page: 'examples/plans/README.md',
    prepare: async () => ({ files: projectOf('plans') }),
    check({ outputs: [, responses] }) {
      expect(responses?.match(/\{"currency":"chf","euros":1.05\}/g)).toHaveLength(3);
      expect(responses).toContain('"violated-policies":["free-minute"]');
      expect(responses).toMatch(/^RateLimit: "pro-second";r=19;t=1\r?$/m);
    },
  },
  {
    page: 'examples/custom-policy/README.md',
    prepare: async () => ({ files: projectOf('custom-policy') }),
    check({ outputs: [validated, responses] }) {
      expect(validated).toContain('Valid');
      expect(responses).toMatch(/^Server-Timing: gateway;dur=\d+\r?$/m);
      expect(responses).toContain('["anvil"]');
      expect(responses).toContain('"code":"operation_forbidden"');
    },
  },
  {
    page: 'examples/agent-tools/README.md',
    prepare: async () => ({ files: projectOf('agent-tools') }),
    check({ outputs: [, responses] }) {
      expect(responses).toContain('"name":"stock"');
      expect(responses).toContain('"structuredContent":{"product":"apple","pieces":140}');
    },
  },
  {
    page: 'examples/staff-proxy/README.md',
    prepare: async () => ({ files: projectOf('staff-proxy'), inFrontOfScheduling: true }),
    check({ outputs: [, , responses] }) {
      expect(responses).toMatch(/\[\{"LastName":"[^"]+"\},\{"LastName":"[^"]+"\}\]/);
      expect(responses).toContain('"code":"operation_forbidden"');
    },
  },
  {
    page: 'examples/staff-sync/README.md',
    async prepare() {
      const files = { ...projectOf('staff-sync'), ...(await createClientModule()) };
      return { files, env: ownNode, before: 'export STAFF_URL=http://127.0.0.1:8020\n' };
    },
    check({ outputs }) {
      expect(outputs.at(-1)).toMatch(/^100 received, 100 in the table$/m);
      expect(outputs.at(-1)).toMatch(/^0 received, 100 in the table$/m);
    },
  },
];

/** The programs are TypeScript, which the Node of the machine may not run. */
const ownNode = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

function projectOf(template: string): NonNullable<Reading['files']> {
  return createProject(templates[template] ?? {}, 'my-project');
}
