import type { ToolChoice } from '@rostergate/mcp';
import { operations } from '@rostergate/staff-server';
import { proxyDocument } from '@rostergate/staff-spec';

/** The operationIds of the operations that read data of the API. */
export const readOperationIds = Object.values(operations).flatMap(({ operationId, method, path }) =>
  method === 'get' && (proxyDocument.paths[path]?.get?.security ?? []).length > 0 ? [operationId] : [],
);

/** What agents get of an operation unless the settings say otherwise: compact results, in pages. */
const usual: Readonly<Record<string, Pick<ToolChoice, 'description' | 'defaults'>>> = {
  listStaffMembers: {
    description:
      "Find people of the company. Returns up to `top` people with the properties in `select`, and how many match as `@odata.count`. For the next page, increase `skip` by `top`. `filter` is an OData condition over properties such as FirstName, LastName, StaffId and IsActive, and over the collections Skillset, Tags and Profiles. People who are skilled for OR 3 on Fridays: Skillset/any(s: s/TaskName eq 'OR 3' and s/IsSkilledFri eq true). `expand` adds a collection, such as Skillset($select=TaskName,IsSkilledFri).",
    defaults: { select: 'StaffKey,StaffId,FirstName,LastName,IsActive', top: 50, count: true },
  },
  getStaffMember: {
    description:
      'Read one person by StaffKey. `select` chooses the properties, and `expand` adds the collections Tags, Skillset and Profiles.',
    defaults: {
      select: 'StaffKey,StaffId,Abbrev,FirstName,LastName,Email,MobilePhone,IsActive,StartDate,EndDate,Manager',
    },
  },
};

/** Returns the tools of the setting: by default all read operations. */
export function toolsOf({ tools }: { readonly tools?: readonly ToolChoice[] | undefined }): readonly ToolChoice[] {
  const choices = tools ?? readOperationIds.map((operation_id) => ({ operation_id }));
  return choices.map((choice) => ({ ...usual[choice.operation_id], ...choice }));
}
