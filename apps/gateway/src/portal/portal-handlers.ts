import { createRouteProblem } from '@rostergate/server/problem';
import type { Portal, PortalOptions } from './portal.ts';
import { type PortalHandlers, portalOperations } from './portal-operations.ts';

/** Returns the handlers of the portal, which is loaded with its first request; without `portal`, it is not served. */
export function createPortalHandlers(options: PortalOptions): {
  readonly handlers: PortalHandlers;
  readonly close: () => Promise<void>;
} {
  let loading: Promise<Portal> | undefined;
  const load = () => {
    loading ??= import('./portal.ts').then(({ createPortal }) => createPortal(options));
    return loading;
  };
  const notServed = () => {
    throw createRouteProblem();
  };
  const handlerOf = (operation: keyof PortalHandlers) =>
    options.settings.portal === undefined
      ? notServed
      : async (request: never, context: never) => (await load()).handlers[operation](request, context);
  return {
    handlers: Object.fromEntries(portalOperations.map((name) => [name, handlerOf(name)])) as unknown as PortalHandlers,
    close: async () => (await loading)?.close(),
  };
}
