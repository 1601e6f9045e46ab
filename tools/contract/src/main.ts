import { ToolFailure } from './tool-failure.ts';
import { loadContractNames } from './workspace.ts';

const usage =
  'Usage: main.ts spec|server|client <contract>, or main.ts fragment|errors-doc|configuration|gateway-doc|scheduling-doc|staff-proxy-doc|pairs-doc|promises-doc|check, or main.ts held <folder>…';

/** Commands for one contract. Each loads only its own modules. */
const contractCommands: Readonly<Record<string, () => Promise<(name: string) => Promise<void>>>> = {
  spec: async () => (await import('./spec/generate-spec.ts')).generateSpec,
  server: async () => (await import('./server/generate-server.ts')).generateServer,
  client: async () => (await import('./client/generate-client.ts')).generateClient,
};

const workspaceCommands: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  fragment: async () => (await import('./fragment/generate-fragment.ts')).generateFragment,
  'errors-doc': async () => (await import('./errors/generate-errors-doc.ts')).generateErrorsDoc,
  configuration: async () => (await import('./configuration/generate-configuration.ts')).generateConfiguration,
  'gateway-doc': async () => (await import('./gateway-doc/generate-gateway-doc.ts')).generateGatewayDoc,
  'scheduling-doc': async () => (await import('./scheduling-doc/generate-scheduling-doc.ts')).generateSchedulingDoc,
  'staff-proxy-doc': async () => (await import('./staff-proxy-doc/generate-staff-proxy-doc.ts')).generateStaffProxyDoc,
  'pairs-doc': async () => (await import('./pairs-doc/generate-pairs-doc.ts')).generatePairsDoc,
  'promises-doc': async () => (await import('./promises-doc/generate-promises-doc.ts')).generatePromisesDoc,
  check: async () => (await import('./drift/check-drift.ts')).checkDrift,
};

async function main([command = '', ...names]: readonly string[]): Promise<void> {
  if (command === 'held') return (await import('./held/check-held.ts')).checkHeld(names);
  const [name = ''] = names;
  const workspaceCommand = workspaceCommands[command];
  if (workspaceCommand !== undefined) return (await workspaceCommand())();
  const contractCommand = contractCommands[command];
  if (contractCommand === undefined) throw new ToolFailure(usage);
  const contracts = loadContractNames();
  if (!contracts.includes(name))
    throw new ToolFailure(`The contract is missing: add ${contracts.join(' or ')}. ${usage}`);
  await (await contractCommand())(name);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
