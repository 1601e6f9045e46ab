import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import type { BuiltPages } from './dead-links.ts';

export interface BuiltSite {
  readonly outDir: string;
  readonly pages: BuiltPages;
  /** Its address on this machine, without a final slash. */
  readonly url: string;
}

/** Builds the site as a workflow of the repository would, and serves it for all tests of a file. */
export function useBuiltSite(repository: { readonly server: string; readonly name: string }): () => BuiltSite {
  let site: BuiltSite;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'rostergate-site-'));
    closing.push(() => rm(outDir, { recursive: true }));
    const cwd = join(import.meta.dirname, '..');
    await promisify(execFile)(join(cwd, 'node_modules/.bin/vitepress'), ['build', '--outDir', outDir], {
      cwd,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        GITHUB_SERVER_URL: repository.server,
        GITHUB_REPOSITORY: repository.name,
      },
      maxBuffer: 16 * 1024 * 1024,
    });
    const paths = globSync('**/*.html', { cwd: outDir });
    const pages = new Map(paths.map((path) => [path, readFileSync(join(outDir, path), 'utf8')]));
    const server = await serveFolder(outDir);
    closing.push(() => server.close());
    site = { outDir, pages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    // The build takes 12 seconds of CPU time, which a busy machine gives late.
  }, 400_000);
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  return () => site;
}

/** Serves files as GitHub Pages does: `/name` is `name.html`, and the page of a folder is its `index.html`. */
async function serveFolder(folder: string) {
  const server = createServer(async (request, response) => {
    const path = decodeURI(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
    const file = path.endsWith('/') ? `${path}index.html` : extname(path) === '' ? `${path}.html` : path;
    const content = await readFile(join(folder, file)).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': mediaTypes[extname(file)] ?? 'text/plain',
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
