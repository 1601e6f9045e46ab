#!/usr/bin/env node
// Loads the rest only on a Node that can read it; so nothing here is newer than dynamic import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`rostergate: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  // Node's default opens the inspector, through which anyone on this machine could run code in the server.
  process.on('SIGUSR1', () => undefined);
  const isWorker = process.connected === true && process.getBuiltinModule('node:cluster').isWorker;
  // A request to reload while the server is still loading must not end it: it loads what the files say by then.
  if (process.argv[2] === 'serve') process.on('SIGHUP', () => undefined);
  // Until it listens: building the first configuration would make V8 give young objects 30 MB of room.
  if (process.argv[2] === 'serve' || isWorker) {
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
  }
  // Half of the time of a short command goes into compiling; only in a folder of one's own, since what is there is run.
  const { HOME: home, XDG_CACHE_HOME: caches = home && `${home}/.cache` } = process.env;
  if (caches) process.getBuiltinModule('node:module').enableCompileCache(`${caches}/rostergate`);
  if (isWorker) import('./workers/worker.ts').then(({ runWorker }) => runWorker());
  else import('./command/program.ts').then(({ run }) => run(process));
}
