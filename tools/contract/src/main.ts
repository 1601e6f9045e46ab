import { generateClient } from './client/generate-client.ts';
import { generateServer } from './server/generate-server.ts';
import { generateSpec } from './spec/generate-spec.ts';
import { ToolFailure } from './tool-failure.ts';
import { loadContractNames } from './workspace.ts';

const usage = 'Usage: main.ts spec|server|client <contract>, or main.ts fragment|errors-doc|check.';

const contractCommands: Readonly<Record<string, (name: string) => Promise<void>>> = {
  spec: generateSpec,
  server: generateServer,
  client: generateClient,
};

async function main([command = '', name = '']: readonly string[]): Promise<void> {
  const generate = contractCommands[command];
  if (generate === undefined) throw new ToolFailure(usage);
  const names = loadContractNames();
  if (!names.includes(name)) throw new ToolFailure(`Name a contract: ${names.join(' or ')}. ${usage}`);
  await generate(name);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
