#!/usr/bin/env node
// Checks the version before loading code that an old Node cannot parse.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`rostergate-staff-proxy: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  // By default Node opens the inspector, through which any local user could run code in the server.
  process.on('SIGUSR1', () => undefined);
  // A SIGHUP while the server is loading must not end it: the files are read afterwards.
  const [, , first = 'serve'] = process.argv;
  if (first === 'serve' || first.startsWith('-')) process.on('SIGHUP', () => undefined);
  // Compiling takes a part of each start. Only in the user's own folder, since cached code is run.
  const { HOME: home, XDG_CACHE_HOME: caches = home && `${home}/.cache` } = process.env;
  if (caches) process.getBuiltinModule('node:module').enableCompileCache(`${caches}/rostergate`);
  import('./command/program.ts').then(({ run }) => run(process));
}
