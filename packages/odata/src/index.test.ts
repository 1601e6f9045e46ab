import { expect, test } from 'vitest';
import * as odata from './index.ts';

test('exports these names and no others', () => {
  expect(Object.keys(odata).sort()).toMatchInlineSnapshot(`
    [
      "ODataError",
      "bind",
      "canonicalDate",
      "canonicalDateTime",
      "canonicalTime",
      "defaultLimits",
      "odataErrors",
      "orderValues",
      "parseExpand",
      "parseFilter",
      "parseOrderby",
      "parseQueryOptions",
      "parseSearch",
      "parseSelect",
      "sqliteFunctions",
      "toComparator",
      "toPredicate",
      "toSql",
      "toSqlKeys",
    ]
  `);
});
