import { parse } from 'yaml';
import type { ServerName } from '../server-names.ts';
import { type DeployedServer, readDeployFile, readImage, readMounted } from './deployed-server.ts';

export interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

/** Returns the services of compose.yaml with merge keys resolved. */
export function readComposeServices(): Readonly<Record<string, ComposeService>> {
  return parse(readDeployFile('compose.yaml'), { merge: true }).services;
}

/** Returns how compose.yaml starts a server; `${NAME:-text}` is replaced by the text. */
export function readCompose(name: ServerName): DeployedServer {
  const service = readComposeServices()[name];
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}.`);
  const image = readImage(name);
  const [source, mountPath] = service.volumes?.[0]?.split(':') ?? [];
  return {
    name,
    args: image.args,
    env: { ...image.env, ...service.environment },
    cwd: image.cwd,
    files: source === undefined || mountPath === undefined ? {} : readMounted(source, mountPath),
    secretsFolder: mountPath ?? image.cwd,
    probes: [],
    stopMs: Number.parseInt(service.stop_grace_period ?? '10s', 10) * 1_000,
  };
}
