import { expect, it } from 'vitest';
import * as door from './index.ts';

it('exports these names and no others', () => {
  expect(Object.keys(door).sort()).toMatchInlineSnapshot(`
    [
      "createConfigurationSchema",
      "createInputReader",
      "defineService",
      "didYouMean",
      "endpointsToOpenApi",
      "endpointsToOpenApiSteps",
      "mergeDocuments",
      "parseEndpoints",
      "parseEndpointsSteps",
      "z",
    ]
  `);
});
