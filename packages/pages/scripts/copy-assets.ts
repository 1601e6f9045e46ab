/** Puts every file the pages use beside the compiled module, with its licence, so that the published package is whole. */
import { copyFile, cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pageAssets } from '../src/page-asset.ts';

const require = createRequire(import.meta.url);
const source = new URL('../src/assets/', import.meta.url);
const target = new URL('../dist/assets/', import.meta.url);

const licences = {
  'redoc.LICENSE.txt': 'redoc/LICENSE',
  'redoc.standalone.js.LICENSE.txt': 'redoc/bundles/redoc.standalone.js.LICENSE.txt',
  'swagger-ui.LICENSE.txt': 'swagger-ui-dist/LICENSE',
  'swagger-ui.NOTICE.txt': 'swagger-ui-dist/NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
};

await rm(target, { recursive: true, force: true });
await cp(source, target, { recursive: true });
for (const page of Object.values(pageAssets)) {
  for (const [file, asset] of Object.entries(page)) {
    if ('packagePath' in asset) await copyFile(require.resolve(asset.packagePath as string), new URL(file, target));
  }
}
for (const [file, packagePath] of Object.entries(licences)) {
  await copyFile(require.resolve(packagePath), new URL(file, target));
}
