import { expect, it } from 'vitest';
import * as entryPoint from './index.ts';

it('exports these names and no others', () => {
  expect(Object.keys(entryPoint).sort()).toMatchInlineSnapshot(`
    [
      "DefinitionError",
      "contractDocumentFrom",
      "contractDocumentsOf",
      "createConfigurationSchema",
      "createContractReader",
      "createInputReader",
      "defineRawService",
      "defineService",
      "endpointsToOpenApi",
      "endpointsToOpenApiSteps",
      "fillTemplate",
      "isHeaderValue",
      "isService",
      "operationsOf",
      "parseContractDocument",
      "parseEndpointPath",
      "parseEndpoints",
      "parseEndpointsSteps",
      "responseCheckOf",
      "upstreamPartsOf",
      "z",
    ]
  `);
});
