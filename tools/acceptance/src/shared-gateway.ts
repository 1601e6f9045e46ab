import { type GatewayProcess, toGatewayProcess } from './gateway-process.ts';
import { type SharedServer, shareServer } from './shared-server.ts';
import { filesOf, type GatewayFolder, type SpawnedGateway, spawnGateway } from './spawn-gateway.ts';

/** Returns a gateway for all tests of a file. Files of earlier configurations stay, and it reads an edit at SIGHUP. */
export function shareGateway(env: Readonly<Record<string, string>> = {}): SharedServer<GatewayFolder, GatewayProcess> {
  const { serve, reject } = shareServer<GatewayFolder, SpawnedGateway>(
    (_, atEnd) => spawnGateway({ settings: { reload_enabled: false }, env }, atEnd),
    async (gateway, { settings, ...rest }) => {
      const files = filesOf({ ...rest, settings: { reload_enabled: false, ...settings } });
      for (const [path, text] of Object.entries(files)) await gateway.write(path, text);
    },
  );
  return {
    reject,
    async serve(configuration) {
      const gateway = await serve(configuration);
      const write: SpawnedGateway['write'] = async (path, content) => {
        await gateway.write(path, content);
        gateway.child.kill('SIGHUP');
      };
      return toGatewayProcess({ ...gateway, write });
    },
  };
}
