import { entityModel, entityOf, staffMemberType } from '../entity-model.ts';

const instants = new Set(
  Object.keys(entityModel.types).flatMap((type) =>
    entityOf(type)
      .scalars.filter(({ kind }) => kind === 'instant')
      .map(({ name }) => name),
  ),
);
const collections = entityOf(staffMemberType).collections.map(({ name }) => name);

/** No text of JSON contains a bare quote, so that these match members only. */
const instant = new RegExp(`"(?:${[...instants].join('|')})":"[^"]*(?=")`, 'g');
const missing = `"(?:${collections.join('|')})":null`;
const missingMember = new RegExp(`,${missing}|(?<=\\{)${missing}(?:,${missing})*,?`, 'g');

/**
 * Returns the JSON of people as their entity type describes them: dates have an offset, and collections that are not
 * expanded are absent. The contract has dates without an offset, and null for these collections.
 */
export function toODataPeople(json: string): string {
  return json.replace(missingMember, '').replace(instant, '$&Z');
}
