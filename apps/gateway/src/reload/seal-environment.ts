import { dirname, resolve } from 'node:path';
import { type Environment, takeSecrets } from '@rostergate/runtime/config';
import { readFileState } from '@rostergate/runtime/reload';
import { sealKeySource } from '../key-source.ts';
import { environmentPrefix } from '../settings.ts';

const secretNames = ['API_KEYS', 'REDIS_URL'].map((name) => environmentPrefix + name);

/**
 * Takes what is secret out of the environment of the process, where any code and every child could read it, and gives
 * a copy for the readings to come, with digests in place of keys.
 */
export async function sealEnvironment(
  env: Record<string, string | undefined>,
  settingsFile: string,
): Promise<Environment> {
  const copy = { ...takeSecrets(env, secretNames) };
  const name = `${environmentPrefix}API_KEYS`;
  const given = copy[name];
  if (given !== undefined) copy[name] = await sealKeySource(given, dirname(resolve(settingsFile)), readFile);
  return Object.freeze(copy);
}

async function readFile(path: string): Promise<string | undefined> {
  const state = await readFileState(path);
  return state.kind === 'file' ? state.bytes.toString('utf8') : undefined;
}
