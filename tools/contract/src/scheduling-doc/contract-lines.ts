import type { ContractLines } from '../contract-doc/check-lines.ts';

/** The tests of each line of the scheduling API's contract. */
export const contractLines = {
  info: [
    ['Read and change the staff of a company', 'rule 18 operations'],
    ['**Credentials.**', 'login 200', 'rule token needed'],
    ['Every account may read.', 'rule everybody reads'],
    ['Writes need the scope `admin`', 'updateStaffMember 403'],
    ['To an account without it `Tags`', 'rule hidden collections'],
    ['In pay modifiers, an account without the scope', 'rule hidden collections'],
    ['An account belongs to one company', 'listStaffMembers 403', 'getStaffMember 404', 'rule no other company'],
    ['are plain strings, in paths and in `$filter`', 'rule keys are strings', 'getStaffMember staff_key'],
    ['An unknown one in a path is 404.', 'getStaffMember staff_key'],
    ['**Lists** are bare JSON arrays.', 'listStaffMembers 200'],
    ['take the OData 4.01 query options', 'rule names are case-sensitive'],
    ['A query parameter that is not declared is 400.', 'getStaffMember 400'],
    ['Parameter aliases such as', 'rule parameter aliases'],
    ['Every person has a version', 'rule versions', 'updateStaffMember If-Match'],
    ['a new name of a manager is a change of the reports too', 'rule name of a manager'],
    ['It is the `ETag` of every read', 'rule versions', 'updateStaffMember If-Match'],
    ['A write with `If-Match` is made on that version alone', 'updateStaffMember 412', 'rule one of two writers'],
    ['Nobody is created on a version', 'createStaffMember 412', 'rule nothing changed'],
    ['The single read answers `If-None-Match` with 304', 'getStaffMember 304', 'getStaffMember If-None-Match'],
    ['**Order of checks.**', 'rule order of checks'],
    ['have no offset and are compared as UTC', 'rule dates'],
    ['carry a `Z`', 'rule dates'],
    ['**Errors** are problems', 'rule every fault'],
    ['A method that a path does not offer is 405', 'rule method not offered'],
  ],
  login: [
    ['Checks the email and password', '200', '401'],
    ['Send it as `Authorization: Bearer <token>`', '200', 'rule token needed'],
    ['Credentials are read from the body alone', '200', '400', '413'],
    ['repeated failures are slowed down', '429'],
  ],
  listStaffMembers: [
    ['Returns the staff of one company', '200'],
    ['Without `$orderby` it is ordered by StaffKey', '200', '$orderby'],
    ['without `$top` the whole company', '200'],
    ['nobody matching is an empty array', 'rule nobody matches'],
    ['A collection is null unless', '$expand', 'includes', 'rule hidden collections'],
    ['The options are applied in the order', 'rule order of options'],
    ['gets the OData envelope', '$count', 'Prefer', 'rule envelope'],
    ['Query parameters that are not declared here', '400'],
  ],
  createStaffMember: [
    ["Adds a person to the account's company", '201'],
    ['StaffId is required', 'rule every fault'],
    ['become `CHANGEME`', '201'],
    ['When a person with this StaffId exists', '409', '200'],
    ['Members that the schema does not name', 'rule unknown members'],
  ],
  getStaffMember: [
    ["Returns one person of the account's company", '200'],
    ['A key that is unknown, or belongs to another company', '404'],
    ['so is a person that `$filter` does not match', '$filter'],
    ['there is no companyKey here', '200'],
    ['A collection is null unless', '$expand', 'includes', 'rule hidden collections'],
    ['`$orderby` is checked', '$orderby'],
  ],
  updateStaffMember: [
    ['Changes the members that are sent', '200'],
    ['null clears a property', '200'],
    ['Keys, collections and what the server keeps itself', 'rule what the server keeps'],
    ['A StaffId that another person', '409'],
    ['The answer is the person as changed', '200'],
  ],
  listStaffLocations: [
    ['Returns the locations that a person works at', '200', 'rule order of lists'],
    ['every `Tags` in it is an empty array', '200'],
  ],
  addStaffLocationTag: [
    ["Sets a tag on a person's location", '200', 'rule effective dates'],
    ['Within one category a tag ends where the next begins', 'rule effective dates'],
    ['A tag that is there already gets the new date', 'rule effective dates'],
    ['A tag that the company does not have', '400'],
    ['a location that the person does not have', 'location_key'],
  ],
  addStaffTag: [
    ['Adds a tag to a person', '201', 'rule effective dates'],
    ["The answer is the tag's category", '201'],
    ['A tag that the person has already', 'rule effective dates'],
    ['Every tag ends on 2100-01-01', 'rule effective dates', '400'],
    ['A tag that the company does not have', '400'],
    ['Tags are read with the person', '201'],
    ['GET on this path is 405', 'rule method not offered'],
  ],
  setStaffSkillset: [
    ['Makes a person skilled for a task', '200'],
    ['Days that are not sent', '200'],
    ['A task that is new to the person', '200'],
    ['a task that the company does not have', 'task_key'],
  ],
  removeStaffSkillset: [
    ["Takes a task out of a person's skillset", '200'],
    ['A task that the person is not skilled for', '200', 'task_key'],
  ],
  listStaffProfiles: [
    ['Returns the profiles that a person has', '200', 'rule order of lists'],
    ['To an account that is not an admin', '200'],
  ],
  setStaffProfile: [
    ['Gives a person a profile', '200'],
    ['Members that are not sent', '200'],
    ['on a profile that is new to the person', '200'],
    ['A profile that the company does not have', 'profile_key'],
  ],
  listPayModifiers: [
    ['Returns the pay modifiers of a person', '200', 'rule order of lists'],
    ['To an account that is not an admin', '200', 'rule hidden collections'],
  ],
  createPayModifier: [
    ['Adds a pay modifier to a person', '201'],
    ['One object goes in and one comes out', '201'],
    ['StartDate may not be after EndDate', '400'],
    ['each fault is listed', '400'],
  ],
  updatePayModifier: [
    ['Changes the members that are sent', '200'],
    ['`PayModifierTags` replaces the tags', '200'],
    ['The rules of creating hold', '400'],
  ],
  deletePayModifier: [
    ['Deletes a pay modifier', '200'],
    ['One that is unknown, or belongs to another person', '404', 'pay_modifier_key'],
  ],
  listBadgeIds: [['Returns the badges of a person', '200', 'rule order of lists']],
  listRequestLimits: [
    ['Returns the limits on requests', '200', 'rule order of lists'],
    ['ShiftCredits and StaffLimits are null', '200', 'includes'],
  ],
  setStaffManager: [
    ['Sets the manager by StaffId or by key', '200'],
    ['Exactly one member is sent', '400'],
    ['A manager who does not exist', '400', 'rule no circle of managers'],
  ],
  LoginRequest: [['The credentials of an account.', 'login 200']],
  StaffMemberCreate: [
    ['A new person.', 'createStaffMember 201'],
    ['become `CHANGEME`', 'createStaffMember 201'],
    ['No period may end before it starts', 'rule every fault'],
  ],
  StaffMemberUpdate: [
    ['Changes to a person.', 'updateStaffMember 200'],
    ['A member that is not sent', 'updateStaffMember 200'],
    ['null clears the property', 'updateStaffMember 200'],
    ['Rules hold for the outcome', 'rule every fault'],
    ['A value that is stored already', 'updateStaffMember 200'],
  ],
  StaffTagCreate: [
    ['The tag to add', 'addStaffTag 201'],
    ['A category or a name beside a key', 'addStaffTag 400'],
  ],
  LocationTagUpdate: [
    ['The tag to set', 'addStaffLocationTag 200'],
    ['A category or a name beside a key', 'addStaffLocationTag 400'],
  ],
  SkillsetUpdate: [
    ['The days to change.', 'setStaffSkillset 200'],
    ['A member that is not sent', 'setStaffSkillset 200'],
  ],
  ProfileUpdate: [
    ['What to change.', 'setStaffProfile 200'],
    ['A member that is not sent', 'setStaffProfile 200'],
  ],
  PayModifierRequest: [
    ['A pay modifier to create', 'createPayModifier 201', 'updatePayModifier 200'],
    ['named by category and name together', 'createPayModifier 400'],
    ['Tags must exist', 'createPayModifier 400'],
    ['in the outcome StartDate', 'createPayModifier 400', 'updatePayModifier 400'],
  ],
  StaffManagerUpdate: [
    ['The manager to set', 'setStaffManager 200'],
    ['Exactly one member.', 'setStaffManager 400'],
  ],
  LocalDateTime: [
    ['A date and time of day without an offset', 'rule dates'],
    ['it is compared as UTC', 'rule dates'],
    ['Answers always carry the time of day', 'rule dates'],
    ['a plain date means midnight', 'rule dates'],
    ['Null is no date', 'rule dates'],
  ],
  'StaffMemberCreate.TimeClockKioskPIN': [
    ['PIN for the time clock.', 'rule time clock PIN'],
    ['It is taken in and never given out', 'rule time clock PIN', 'command audit list'],
  ],
  'StaffMemberCreate.Manager': [
    ['Name of the manager.', 'setStaffManager 200'],
    ['It follows from ManagerId', 'updateStaffMember 200'],
    ['sent back unchanged it is accepted', 'updateStaffMember 200'],
  ],
  'StaffMemberCreate.ManagerId': [['StaffId of the manager', 'setStaffManager 200', 'rule no circle of managers']],
} as const satisfies ContractLines;

/** Why something in the contract has no test of its own, by the name of the response or parameter. */
export const reasons: Readonly<Record<string, string>> = {
  default:
    'stands for the statuses that its description lists. Tests provoke each of them at each operation; any other status fails them',
};
