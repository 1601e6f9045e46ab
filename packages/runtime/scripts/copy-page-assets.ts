/** Puts every file the pages use beside the compiled module, with its licence, so that the published package is whole. */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pageAssets } from '../src/pages/page-asset.ts';

const require = createRequire(import.meta.url);
const source = new URL('../src/pages/assets/', import.meta.url);
const target = new URL('../dist/pages/assets/', import.meta.url);

const licences = {
  'redoc.LICENSE.txt': 'redoc/LICENSE',
  'redoc.standalone.js.LICENSE.txt': 'redoc/bundles/redoc.standalone.js.LICENSE.txt',
  'swagger-ui.LICENSE.txt': 'swagger-ui-dist/LICENSE',
  'swagger-ui.NOTICE.txt': 'swagger-ui-dist/NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
};

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const asset of Object.values(pageAssets).flatMap((page) => Object.values(page))) {
  const from = 'packagePath' in asset ? require.resolve(asset.packagePath) : new URL(asset.file, source);
  await copyFile(from, new URL(asset.file, target));
}
for (const [file, packagePath] of Object.entries(licences)) {
  await copyFile(require.resolve(packagePath), new URL(file, target));
}
