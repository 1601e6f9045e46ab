import type { Server } from 'node:http';
import { createRequire } from 'node:module';

type ValidatorModule = typeof import('express-openapi-validator/dist/middlewares/openapi.request.validator.js');

const require = createRequire(import.meta.url);

/** Not with the other modules: loading it is a tenth of the time in which a server starts. */
export function loadValidator(): ValidatorModule {
  return require('express-openapi-validator/dist/middlewares/openapi.request.validator.js');
}

/**
 * Loads it once a server has long been ready, for no request to wait for it. Where it cannot be loaded the error is
 * caught by nobody: a broken installation ends at once, in place of failing whoever first sends something wrong.
 */
export function loadValidatorSoon(server: Server, load: () => unknown = loadValidator): void {
  server.once('listening', () => {
    const timer = setTimeout(load, afterListeningMs).unref();
    server.once('close', () => clearTimeout(timer));
  });
}

/** Whoever waits for the server to be ready, and asks then, has been answered. */
const afterListeningMs = 1_000;
