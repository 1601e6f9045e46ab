import { loadContractNames, ToolFailure } from './workspace.ts';

type Command = (...args: string[]) => Promise<void>;

/** Commands for one contract. Each loads only its own modules. */
const contractCommands: Readonly<Record<string, () => Promise<Command>>> = {
  spec: async () => (await import('./spec/generate-spec.ts')).generateSpec,
  server: async () => (await import('./server/generate-server.ts')).generateServer,
  client: async () => (await import('./client/generate-client.ts')).generateClient,
};

const workspaceCommands: Readonly<Record<string, () => Promise<Command>>> = {
  fragment: async () => (await import('./spec/generate-fragment.ts')).generateFragment,
  'errors-doc': async () => (await import('./pages/errors-page.ts')).generateErrorsDoc,
  configuration: async () => (await import('./configuration/generate-configuration.ts')).generateConfiguration,
  'gateway-doc': async () => (await import('./reports/gateway-report.ts')).generateGatewayDoc,
  'scheduling-doc': async () => (await import('./reports/scheduling-report.ts')).generateSchedulingDoc,
  'staff-proxy-doc': async () => (await import('./reports/staff-proxy-report.ts')).generateStaffProxyDoc,
  'pairs-doc': async () => (await import('./pages/pairs-page.ts')).generatePairsDoc,
  'promises-doc': async () => (await import('./pages/promises-page.ts')).generatePromisesDoc,
  check: async () => async () => (await import('./drift/check-drift.ts')).checkDrift(),
  covered: async () => (await import('./reports/coverage.ts')).checkCoverage,
};

const usage = `Usage: main.ts ${Object.keys(contractCommands).join('|')} <contract>, or main.ts ${Object.keys(workspaceCommands).join('|')}. covered takes the folders of test logs.`;

/** Runs a command with its arguments. @throws ToolFailure on a fault that its message explains */
export async function runCommand([command = '', ...args]: readonly string[]): Promise<void> {
  const workspaceCommand = workspaceCommands[command];
  if (workspaceCommand !== undefined) return (await workspaceCommand())(...args);
  const contractCommand = contractCommands[command];
  if (contractCommand === undefined) throw new ToolFailure(usage);
  const [name = ''] = args;
  const contracts = loadContractNames();
  if (!contracts.includes(name))
    throw new ToolFailure(`The contract is missing: add ${contracts.join(' or ')}. ${usage}`);
  await (await contractCommand())(name);
}
