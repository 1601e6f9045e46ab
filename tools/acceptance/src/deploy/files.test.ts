import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsPrefix as schedulingPrefix, settingsSchema as schedulingSettings } from '@rostergate/scheduling';
import { settingsPrefix as proxyPrefix, settingsSchema as proxySettings } from '@rostergate/staff-proxy';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { settingsSchema as gatewaySettings } from 'rostergate';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ServerName, serverNames } from '../server-names.ts';
import { deployFolder, readDeployFile, readImage } from './deployed-server.ts';
import { readCompose, readComposeServices } from './read-compose.ts';
import { readKubernetes, readPod } from './read-kubernetes.ts';
import { readSystemd } from './read-systemd.ts';

const settings: Readonly<Record<ServerName, { prefix: string; fields: Readonly<Record<string, unknown>> }>> = {
  gateway: { prefix: 'ROSTERGATE_', fields: gatewaySettings.shape },
  'staff-proxy': { prefix: proxyPrefix, fields: proxySettings.shape },
  scheduling: { prefix: schedulingPrefix, fields: schedulingSettings.shape },
};
/** The environment variables of the demo configuration. */
const ownVariables = ['NODE_ENV', 'STAFF_PROXY_ADDRESS', 'STAFF_PROXY_KEY'];

const workspaceFile = (path: string) => readFileSync(join(deployFolder, '..', path), 'utf8');
const defaultsOf = (name: ServerName) =>
  ({ gateway: gatewaySettings, 'staff-proxy': proxySettings, scheduling: schedulingSettings })[name].parse({});

test('compose.yaml is valid by the schema of compose files', () => {
  const { rules } = JSON.parse(readDeployFile('.dclintrc.json'));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  // Its types cannot be resolved: they import modules without extensions.
  const results: { messages: { line: number; message: string }[] }[] = linter.lintFiles(
    [join(deployFolder, 'compose.yaml')],
    false,
  );
  expect(results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([]);
});

test.each(serverNames)(
  'the Dockerfile of %s is sound, and of the Node and pnpm that everything here runs on',
  (name) => {
    const text = readDeployFile('docker', `${name}.Dockerfile`);
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
    const [major] = parse(workspaceFile('pnpm-workspace.yaml')).catalog.node.split('.');
    expect(text.match(/^FROM \S+/gm)).toEqual([`FROM node:${major}-slim`, `FROM node:${major}-slim`]);
    expect(text).toContain(`npx --yes ${JSON.parse(workspaceFile('package.json')).packageManager} install`);
    expect(text.match(/--filter "[^"]+"/g)?.map((each) => each.slice(10, -1).replace('...', ''))).toEqual(
      Array(3).fill(JSON.parse(workspaceFile(`apps/${name}/package.json`)).name),
    );
    expect(text).toMatch(/^USER [1-9]\d+$/m);
  },
);

test('the development container has the Node of the workspace and the packages that CI installs', () => {
  const text = workspaceFile('.devcontainer/Dockerfile');
  expect(validate(text)).toEqual([]);
  const [major] = parse(workspaceFile('pnpm-workspace.yaml')).catalog.node.split('.');
  expect(text).toContain(`FROM node:${major}-`);
  const stages = workspaceFile('.ci/run').match(/^stage .*/gm) ?? [];
  const packages = [...stages.join('\n').matchAll(/\bwith [a-z0-9-]+ ([a-z0-9-]+)/g)].map(([, name]) => name);
  expect(packages.length).toBeGreaterThan(5);
  expect(packages.filter((name) => !text.includes(` ${name} `))).toEqual([]);
  const { build, forwardPorts } = JSON.parse(workspaceFile('.devcontainer/devcontainer.json'));
  expect(build.dockerfile).toBe('Dockerfile');
  expect(forwardPorts).toEqual(expect.arrayContaining(serverNames.map((name) => defaultsOf(name).port)));
});

test.each(serverNames)('every way of starting %s uses its port and existing settings', (name) => {
  const { prefix, fields } = settings[name];
  const { port } = defaultsOf(name);
  const known = new Set([...Object.keys(fields).map((field) => prefix + field.toUpperCase()), ...ownVariables]);
  for (const read of [readCompose, readKubernetes, readSystemd]) {
    expect(Object.keys(read(name).env).filter((variable) => !known.has(variable))).toEqual([]);
  }
  expect(readPod(name).containers[0].env.filter((variable) => !known.has(variable.name))).toEqual([]);
  const image = readImage(name);
  expect([image.port, image.env[`${prefix}HOST`]]).toEqual([port, '0.0.0.0']);
  expect(image.healthcheck.join(' ')).toContain(`http://127.0.0.1:${port}/health/ready`);
  expect(readComposeServices()[name]?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(readPod(name).containers[0].ports).toEqual([{ name: 'http', containerPort: port }]);
});

test('the unit of the gateway has a writable folder for usage, which the README names', () => {
  const [, folder] = /^StateDirectory=(\S+)$/m.exec(readDeployFile('systemd', 'rostergate-gateway.service')) ?? [];
  expect(readDeployFile('README.md')).toContain(`"file": "/var/lib/${folder}/usage.sqlite"`);
});

test.each(serverNames)('%s has time to drain before it is killed', (name) => {
  const { drain_ms } = defaultsOf(name);
  for (const read of [readCompose, readKubernetes, readSystemd]) {
    expect(read(name).stopMs).toBeGreaterThanOrEqual(2 * drain_ms);
  }
});

test.each(serverNames)('in containers %s runs as a non-root user with a read-only image and no privileges', (name) => {
  const service = readComposeServices()[name];
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    build: { dockerfile: `deploy/docker/${name}.Dockerfile` },
  });
  const pod = readPod(name);
  expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(pod.containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.containers[0].image).toBe(`rostergate/${name}:local`);
});
