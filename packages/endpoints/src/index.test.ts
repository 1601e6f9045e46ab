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
      "createReplyReader",
      "createServiceProblems",
      "definePolicy",
      "defineRawService",
      "defineService",
      "endpointsToOpenApi",
      "endpointsToOpenApiSteps",
      "faultOfRequestHeader",
      "fillHeader",
      "fillTemplate",
      "isHeaderValue",
      "isPolicy",
      "isService",
      "issuerSchemeOf",
      "operationsOf",
      "parseContractDocument",
      "parseEndpoints",
      "parseEndpointsSteps",
      "responseCheckOf",
      "securityOf",
      "takesFields",
      "upstreamPartsOf",
      "z",
    ]
  `);
});
