import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serverNames } from '../server-names.ts';
import { startServers } from '../start-servers.ts';
import { installSchemathesis } from './install-schemathesis.ts';
import { runSchemathesis, signInToPortal } from './run-schemathesis.ts';

const usage = `Usage: pnpm schemathesis [-- [SERVER]… [--json FILE] [--examples N] [--seed N] [--operation ID]]
Servers: ${serverNames.join(', ')}; all by default.
`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    examples: { type: 'string' },
    seed: { type: 'string' },
    operation: { type: 'string' },
    help: { type: 'boolean' },
  },
});
/**
 * The limit for all servers together. It ends a run that hangs: alone, a run takes three minutes and a half, in CI up to
 * twelve with the time that other stages leave.
 */
const timeMaxMs = 20 * 60_000;

/** The maximum length of a printed line: generated values may have thousands of characters. */
const lineMax = 1_000;

const withoutSequences = ['--phases', 'examples,coverage,fuzzing'];

const unknown = positionals.filter((given) => !serverNames.some((name) => name === given));

if (values.help || unknown.length > 0) {
  process.stderr.write(unknown.length > 0 ? `Unknown server: ${unknown.join(', ')}.\n${usage}` : usage);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  process.exitCode = (await runAll()) ? 0 : 1;
}

/** Resolves with true if there are no findings. */
async function runAll(): Promise<boolean> {
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const command = await installSchemathesis((text) => say(`schemathesis: ${text}`));
  const more = [
    ...(values.examples === undefined ? [] : ['--max-examples', values.examples]),
    ...(values.seed === undefined ? [] : ['--seed', values.seed]),
    // One server alone has no upstream.
    ...(values.operation === undefined ? [] : ['--include-operation-id', values.operation, ...withoutSequences]),
  ];
  // Reads of the whole company take long on a busy machine.
  const servers = await startServers({ ROSTERGATE_PROXY_UPSTREAM_TIMEOUT_MS: '60000' });
  const figures = [];
  const endsMs = performance.now() + timeMaxMs;
  try {
    const portalSession = await signInToPortal(servers.urls.gateway);
    // In sequence: requests of the proxy change the data of the scheduling API.
    for (const server of serverNames) {
      if (positionals.length > 0 && !positionals.includes(server)) continue;
      const { output, ...findings } = await runSchemathesis({
        command,
        server,
        servers,
        portalSession,
        more,
        timeMaxMs: endsMs - performance.now(),
      });
      const { operations, cases, seconds, failures, neverReached } = findings;
      if (failures.length > 0)
        say(
          output
            .split('\n')
            .map((line) => line.slice(0, lineMax))
            .join('\n'),
        );
      say(
        `${server.padEnd(11)} ${operations} operations, ${cases} requests, ${Math.round(seconds)} s, ` +
          `${failures.length} findings, ${neverReached.length} operations out of reach`,
      );
      for (const line of failures) say(`  ${line}`);
      for (const name of neverReached)
        say(`  ${name}: 404 to every valid request; add existing values of the demo data to schemathesis.toml`);
      figures.push({ server, ...findings });
    }
  } finally {
    await servers.stop();
  }
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  return figures.every(({ failures, neverReached }) => failures.length + neverReached.length === 0);
}
