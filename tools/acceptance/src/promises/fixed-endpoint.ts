/** An endpoint that says which generation of the configuration answers. */
export const fixedEndpoint = (answer: unknown, path = '/answer'): object => ({
  path,
  service: 'static',
  parameters: { answer },
});

/** The text of an endpoints.json. */
export const endpointsText = (endpoints: readonly object[]): string => JSON.stringify({ endpoints }, null, 2);
