#!/usr/bin/env node
// Checks the version of Node before it loads the program: this file uses no syntax newer than dynamic import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`create-rostergate: Node ${process.versions.node} is too old: 22.19 or later is needed.`);
  process.exitCode = 3;
} else {
  import('./program.ts').then(({ run }) => run(process));
}
