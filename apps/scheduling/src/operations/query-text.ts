/** The query of a request as it was sent: OData's rules split it before anything is decoded. */
export function queryTextOf({ originalUrl }: { readonly originalUrl: string }): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}
