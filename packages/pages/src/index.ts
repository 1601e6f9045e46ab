export { createFirstRequestBlock } from './blocks/first-request.ts';
export {
  createKeyTesterBlock,
  createLiveFiguresBlock,
  createReadinessBlock,
  type LiveFiguresOptions,
} from './blocks/live-blocks.ts';
export {
  createBuiltInBlock,
  createOperationListBlock,
  type OperationListOptions,
  type RowOptions,
} from './blocks/operation-list.ts';
export { type CallExample, createCallExamples } from './call-examples.ts';
export { type CalledOperation, type CurlOptions, createCurlLine } from './curl-line.ts';
export { createProse, type Html, type HtmlValue, html } from './html.ts';
export {
  type ListedOperation,
  listOperations,
  listOperationsSteps,
  type OperationPage,
  type OperationQuery,
  searchOperations,
} from './listed-operations.ts';
export {
  type AssetSource,
  assetFile,
  blockAssets,
  createAssetReader,
  type PageName,
  pageAssets,
} from './page-asset.ts';
export { createPageHandlers, type PageHandlers, type PageHandlersOptions } from './page-handlers.ts';
export {
  createPageLinks,
  createPagePolicy,
  createShell,
  type PageLink,
  type PageLinksOptions,
  type ShellOptions,
} from './page-html.ts';
export { replyTagged, type TaggedBytes, tagText } from './tagged-text.ts';
