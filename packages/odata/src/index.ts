export { afterKeys } from './after-keys.ts';
export type * from './ast.ts';
export { type BindSettings, bind, type HandledOption } from './bind.ts';
export type * from './bound-ast.ts';
export { canonicalDate, canonicalDateTime, canonicalTime } from './date-time.ts';
export { defaultLimits, type Limits } from './limits.ts';
export type { EntityModel, PrimitiveType, PropertyModel, StructuredType } from './model.ts';
export { ODataError, type ODataErrorCode, type ODataErrorDetails, odataErrors } from './odata-error.ts';
export {
  type ParseSettings,
  parseExpand,
  parseFilter,
  parseOrderby,
  parseQueryOptions,
  parseSearch,
  parseSelect,
} from './parse-query-options.ts';
export type { SqlDialectName } from './sql-dialect.ts';
export type { SqlCollection, SqlColumn, SqlMapping, SqlParameter, SqlText } from './sql-mapping.ts';
export { type SqliteFunction, sqliteFunctions } from './sqlite.ts';
export { toComparator, toPredicate } from './to-predicate.ts';
export { type Sql, type SqlSettings, toSql, toSqlKeys } from './to-sql.ts';
export { orderValues } from './values.ts';
