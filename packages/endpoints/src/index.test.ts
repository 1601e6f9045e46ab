import { expect, it } from 'vitest';
import * as door from './index.ts';

it('exports these names and no others', () => {
  expect(Object.keys(door).sort()).toMatchInlineSnapshot(`
    [
      "DefinitionError",
      "answerCheckOf",
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
      "mergeDocuments",
      "mergeDocumentsSteps",
      "operationsOf",
      "parseContractDocument",
      "parseEndpointPath",
      "parseEndpoints",
      "parseEndpointsSteps",
      "z",
    ]
  `);
});
