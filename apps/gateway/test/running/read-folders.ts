// Reads the configuration in each of the folders named and prints its faults, as lines of one JSON array.
import { join } from 'node:path';
import { ConfigError } from '@rostergate/runtime/config';
import { loadConfiguration } from '../../src/configuration.ts';
import { describeBuiltInServices } from '../../src/services/index.ts';

const told: string[][] = [];
for (const folder of process.argv.slice(2)) {
  const settingsFile = join(folder, 'settings.json');
  const faults = await loadConfiguration({ settingsFile, env: {}, createServices: describeBuiltInServices }).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    },
  );
  told.push(faults.map(({ where, field, detail }) => `${where}  ${field === '' ? '' : `${field}: `}${detail}`));
}
process.stdout.write(JSON.stringify(told));
