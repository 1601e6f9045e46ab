import type { GatewayHandlers } from '@rostergate/gateway-server';

/** The operations of the developer portal. */
export const portalOperations = [
  'getPortal',
  'getPortalAsset',
  'beginPortalSignIn',
  'completePortalSignIn',
  'endPortalSession',
  'createPortalKey',
  'rotatePortalKey',
  'revokePortalKey',
] as const satisfies readonly (keyof GatewayHandlers)[];

export type PortalHandlers = Pick<GatewayHandlers, (typeof portalOperations)[number]>;
