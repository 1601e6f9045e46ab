#!/usr/bin/env node
// Loads the rest only when this Node can parse it, so this file uses nothing newer than dynamic import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`rostergate-scheduling: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  // By default SIGUSR1 opens the inspector, which would let any local user run code in the server.
  process.on('SIGUSR1', () => undefined);
  // Compiling takes a part of each start. Only in the user's own folder, since cached code is run.
  const { HOME: home, XDG_CACHE_HOME: caches = home && `${home}/.cache` } = process.env;
  if (caches) process.getBuiltinModule('node:module').enableCompileCache(`${caches}/rostergate`);
  import('./command/program.ts').then(({ run }) => run(process));
}
