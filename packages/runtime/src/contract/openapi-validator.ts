import type { Server } from 'node:http';
import { createRequire } from 'node:module';

type UtilModule = typeof import('express-openapi-validator/dist/middlewares/util.js');
type ValidatorModule = typeof import('express-openapi-validator/dist/middlewares/openapi.request.validator.js');

const require = createRequire(import.meta.url);

/** Not with the other modules: loading it is a tenth of the time in which a server starts. */
export function loadValidator(): ValidatorModule {
  return require('express-openapi-validator/dist/middlewares/openapi.request.validator.js');
}

/** How the validator puts the errors of Ajv. */
export function loadErrorWords(): Pick<UtilModule, 'ajvErrorsToValidatorError' | 'augmentAjvErrors' | 'ContentType'> {
  return require('express-openapi-validator/dist/middlewares/util.js');
}

/** What Ajv's own keywords are written with, of the very copy that the validator compiles with. */
export function loadCodegen(): Codegen {
  const requireBeside = createRequire(require.resolve('express-openapi-validator/package.json'));
  const { _ } = requireBeside('ajv/dist/compile/codegen') as Codegen;
  return { _, names: (requireBeside('ajv/dist/compile/names') as { default: Codegen['names'] }).default };
}

export interface Codegen {
  _(texts: TemplateStringsArray, ...values: unknown[]): unknown;
  readonly names: { readonly errors: unknown; readonly vErrors: unknown };
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
