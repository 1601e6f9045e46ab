import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython } from '../python-environment.ts';

/** The folder of the configuration and the pinned requirements. */
export const configurationFolder = fileURLToPath(new URL('../../schemathesis', import.meta.url));

/** Installs schemathesis and resolves with the path of `st`. Throws with a remedy. */
export async function installSchemathesis(say: (text: string) => void): Promise<string> {
  const requirements = join(configurationFolder, 'requirements.txt');
  const commands = await installPython({ name: 'schemathesis', requirements, probe: ['st', '--version'], say });
  return join(commands, 'st');
}
