#!/usr/bin/env node
// Checks the version of Node before it loads the program: this file uses no syntax newer than dynamic import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`rostergate: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  // By default SIGUSR1 opens the inspector, through which anyone on this machine could run code in the server.
  process.on('SIGUSR1', () => undefined);
  const isWorker = process.connected === true && process.getBuiltinModule('node:cluster').isWorker;
  // A reload request while the server is still starting must not end it.
  if (process.argv[2] === 'serve') process.on('SIGHUP', () => undefined);
  // Until it listens: building the first configuration would grow V8's young generation by 30 MB.
  if (process.argv[2] === 'serve' || isWorker) {
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
  }
  // Compiling takes half of the time of a short command. Only in the user's own folder, since cached code is run.
  const { HOME: home, XDG_CACHE_HOME: caches = home && `${home}/.cache` } = process.env;
  if (caches) process.getBuiltinModule('node:module').enableCompileCache(`${caches}/rostergate`);
  if (isWorker) import('./workers/worker.ts').then(({ runWorker }) => runWorker());
  else import('./command/program.ts').then(({ run }) => run(process));
}
