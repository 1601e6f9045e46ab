import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { succeeds } from '../succeeds.ts';

const project = fileURLToPath(new URL('../../odata-clients/pom.xml', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/**
 * Fetches the client of Apache Olingo with its dependencies, once per version of the project file, and resolves with the
 * class path. Throws with a remedy if Maven fails.
 */
export async function installOlingo(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(project))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder, `olingo-${digest}`);
  const classPath = join(folder, '*');
  if (existsSync(folder)) return classPath;
  await mkdir(cacheFolder, { recursive: true });
  const incomplete = await mkdtemp(join(cacheFolder, 'olingo-'));
  const args = ['-q', '-B', '-f', project, `-Dmaven.repo.local=${join(cacheFolder, 'maven')}`];
  const fetched = await succeeds(
    'mvn',
    [...args, 'dependency:copy-dependencies', `-DoutputDirectory=${incomplete}`],
    'inherit',
  );
  if (!fetched) throw new Error('mvn failed: install Maven (Debian: maven), and see the lines above.');
  await rename(incomplete, folder);
  return classPath;
}
