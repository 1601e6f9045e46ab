/** What is published, with the Node each runs on: what only describes or calls runs on older ones than what serves. */
export const publicPackages: Readonly<Record<string, string>> = {
  '@rostergate/gateway-spec': '>=20.10',
  '@rostergate/staff-spec': '>=20.10',
  '@rostergate/gateway-client': '>=20.10',
  '@rostergate/staff-client': '>=20.10',
  '@rostergate/odata': '>=20.10',
  '@rostergate/endpoints': '>=22.19',
  '@rostergate/gateway-server': '>=22.19',
  '@rostergate/staff-server': '>=22.19',
  '@rostergate/runtime': '>=22.19',
  '@rostergate/scheduling': '>=22.19',
  '@rostergate/staff-proxy': '>=22.19',
  rostergate: '>=22.19',
};
