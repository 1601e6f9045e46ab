import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ServerName } from '../server-names.ts';
import { type DeployedServer, readDeployFile, readImage } from './deployed-server.ts';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface Pod {
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly secret?: { readonly secretName: string };
  }[];
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template: { readonly spec: Pod } };
}

export function readPod(name: ServerName): Pod {
  const pod = resourcesOf(name).find(({ kind }) => kind === 'Deployment')?.spec?.template.spec;
  if (pod === undefined) throw new Error(`kubernetes/${name}.yaml has no Deployment.`);
  return pod;
}

/** Returns how the Kubernetes example starts a server, without variables from secrets. */
export function readKubernetes(name: ServerName): DeployedServer {
  const { containers, volumes, terminationGracePeriodSeconds } = readPod(name);
  const [container] = containers;
  const image = readImage(name);
  const maps = resourcesOf(name).filter(({ kind }) => kind === 'ConfigMap');
  const mountOf = (volume: string) => container.volumeMounts.find((mount) => mount.name === volume)?.mountPath ?? '';
  const files = volumes.flatMap(({ name: volume, configMap }) => {
    const data = maps.find(({ metadata }) => metadata.name === configMap?.name)?.data ?? {};
    return Object.entries(data).map(([file, text]) => [join(mountOf(volume), file), text]);
  });
  const values = container.env.flatMap((each) => (each.value === undefined ? [] : [[each.name, each.value]]));
  const secret = volumes.find((volume) => volume.secret !== undefined);
  return {
    name,
    args: container.args,
    env: { ...image.env, ...Object.fromEntries(values) },
    cwd: image.cwd,
    files: Object.fromEntries(files),
    secretsFolder: secret === undefined ? image.cwd : mountOf(secret.name),
    probes: [container.startupProbe, container.readinessProbe, container.livenessProbe].map(
      ({ httpGet }) => httpGet.path,
    ),
    stopMs: (terminationGracePeriodSeconds - container.lifecycle.preStop.sleep.seconds) * 1_000,
  };
}

function resourcesOf(name: ServerName): readonly Resource[] {
  return parseAllDocuments(readDeployFile('kubernetes', `${name}.yaml`)).map((document) => document.toJS());
}
