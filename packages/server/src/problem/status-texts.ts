/**
 * The reason phrase of each HTTP status, such as `Not Found`. An import of node:http would load all of its exports, among
 * them a WebSocket client, which takes a sixth of the start time of a gateway.
 */
export const statusTexts: Readonly<Record<number | string, string | undefined>> =
  process.getBuiltinModule('node:http').STATUS_CODES;
