// Loads a service from texts in memory, calls it and prints its response.
import { loadConfiguration } from '../../src/configuration-reader.ts';
import { describeBuiltInServices } from '../../src/services/index.ts';

const texts: Readonly<Record<string, string>> = {
  '/nowhere/settings.json': '{}',
  '/nowhere/services/given.ts': `import { defineService, z } from 'rostergate';
import { first } from './lib/first.ts';
export default defineService({
  name: 'given', summary: 'x', parameters: z.object({}), response: z.string(),
  handle: async () => first + (await import('./lib/second.ts')).second,
});
`,
  '/nowhere/services/lib/first.ts': "export const first: string = 'from ';\n",
  '/nowhere/services/lib/second.ts': "export const second: string = 'texts';\n",
};
const { services } = await loadConfiguration({
  settingsFile: '/nowhere/settings.json',
  env: {},
  createServices: describeBuiltInServices,
  readText: (path) => texts[path],
  readNames: (path) => (path === '/nowhere/services' ? ['given.ts', 'lib'] : undefined),
});
const given = services.find(({ name }) => name === 'given');
process.stdout.write(String(await given?.handle({}, {} as never)));
