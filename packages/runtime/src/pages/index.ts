export { type PageName, pageAssets } from './page-asset.ts';
export { createPageHandlers, type PageHandlers, type PageHandlersOptions } from './page-handlers.ts';
