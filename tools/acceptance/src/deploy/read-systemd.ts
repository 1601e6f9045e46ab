import type { ServerName } from '../server-names.ts';
import { serverPrograms } from '../server-programs.ts';
import { type DeployedServer, readDeployFile, readMounted } from './deployed-server.ts';

/** Returns how a systemd unit starts a server. */
export function readSystemd(name: ServerName): DeployedServer {
  const unit = readUnit(name);
  const [command, ...args] = unit('ExecStart').split(' ');
  if (command !== `/usr/local/bin/${serverPrograms[name].command}`)
    throw new Error(`The unit of ${name} starts ${command}.`);
  const folder = `/etc/rostergate/${name}`;
  return {
    name,
    args,
    env: {},
    // The default of systemd is the root of the file system; an empty folder replaces it.
    cwd: name === 'scheduling' ? unit('WorkingDirectory').replace('%S', '/var/lib') : '/var/empty',
    files: name === 'scheduling' ? {} : readMounted(name, folder),
    secretsFolder: folder,
    probes: ['/health/live', '/health/ready'],
    stopMs: Number.parseInt(unit('TimeoutStopSec'), 10) * 1_000,
  };
}

/** Returns a function that finds the value of a key in a unit. */
function readUnit(name: ServerName): (key: string) => string {
  const lines = readDeployFile('systemd', `rostergate-${name}.service`).split('\n');
  return (key) => {
    const line = lines.find((each) => each.startsWith(`${key}=`));
    if (line === undefined) throw new Error(`The unit of ${name} lacks ${key}.`);
    return line.slice(key.length + 1);
  };
}
