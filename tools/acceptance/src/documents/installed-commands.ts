import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverPrograms } from '../server-programs.ts';

const node = `'${process.execPath}' --conditions=source`;

/** The installed commands, run from their sources or bundles. */
export const installedCommands = {
  ...Object.fromEntries(
    Object.values(serverPrograms).map(({ command, file }) => [command, `exec ${node} '${file}' "$@"`]),
  ),
  issuer: `exec ${node} '${fileURLToPath(new URL('../test-issuer.ts', import.meta.url))}' "$@"`,
  npx: 'exec "$@"',
  // npm run -s <script> -- <arguments>
  npm: `[ "$*" != install ] || exit 0 # The packages are those of the workspace; the rehearsal installs them.
[ "$1 $2 $4" = 'run -s --' ] || { echo "npm $*?" >&2; exit 2; }
case $3 in rostergate|issuer) program=$3 ;; *) program=rostergate-$3 ;; esac
shift 4
exec "$program" "$@"`,
};

/** As much of jq as the pages use (`jq -r .name [file]`), for machines that have none. */
const jq = `exec ${node} -e '
const [, , path, file = 0] = process.argv;
console.log(JSON.parse(require("node:fs").readFileSync(file, "utf8"))[path.slice(1)]);
' -- "$@"`;

/** Programs that a page uses and a machine may lack; found last. */
export const standInCommands = { jq };

/** Makes a folder of commands: a shell script for each name. */
export async function writeCommands(folder: string, scripts: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder);
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
}
