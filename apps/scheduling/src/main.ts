#!/usr/bin/env node
// Loads the rest only on a Node that can read it; so nothing here is newer than dynamic import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`rostergate-scheduling: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  // Node's default opens the inspector, through which anyone on this machine could run code in the server.
  process.on('SIGUSR1', () => undefined);
  import('./command/program.ts').then(({ run }) => run(process));
}
