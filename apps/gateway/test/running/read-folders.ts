// Reads the configuration of each given folder and prints its faults as one JSON array per line.
import { join } from 'node:path';
import { ConfigError } from '@rostergate/config';
import { loadConfiguration } from '../../src/configuration-reader.ts';
import { describeBuiltInServices } from '../../src/services/index.ts';
import { createEditTrial } from '../../src/sources/try-edit.ts';

const tryEdit = createEditTrial({ version: '0', isToServe: false, loadMs: Number(process.env.LOAD_MS ?? 3_000) });
const faultLines: string[][] = [];
for (const folder of process.argv.slice(2)) {
  const settingsFile = join(folder, 'settings.json');
  const options = { settingsFile, env: {}, createServices: describeBuiltInServices, tryEdit };
  const faults = await loadConfiguration(options).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    },
  );
  faultLines.push(faults.map(({ where, field, detail }) => `${where}  ${field === '' ? '' : `${field}: `}${detail}`));
}
process.stdout.write(JSON.stringify(faultLines));
