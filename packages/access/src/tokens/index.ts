export { checkIssuerSettings, type Issuer, isSecureUrl, securitySchemeOf } from './issuer.ts';
export { createIssuerRegistry, type IssuerRegistry, logIssuerChange } from './issuer-registry.ts';
export { createKeyLoader, type KeySource, type LoadedKeys, type LoadKeys } from './load-keys.ts';
export { createSharedKeyLoader } from './shared-key-loader.ts';
export { claimsOf, createTokenAuthenticator, type PresentingToken } from './token-authenticator.ts';
export type { TokenClaims, TokenVerifier } from './token-verifier.ts';
