import { reasons as schedulingReasons, statementTests as schedulingTests } from './scheduling-statements.ts';
import type { StatementTests } from './statements.ts';

const { countStaffMembers, listODataStaffMembers, countODataStaffMembers, getODataStaffMember, ...others } =
  schedulingTests;
const { runODataBatch, ODataBatchRequest, exportCatalogue, mergeCatalogue, replaceCatalogue, ...more } = others;
const { CatalogueRows, ...sharedTests } = more;

/** The tests of each statement of the contract as the staff proxy serves it: those of the scheduling API, and what differs. */
export const statementTests: StatementTests = {
  ...sharedTests,
  info: [
    ['Read and change the staff of a company', 'rule 18 operations'],
    ['This proxy forwards requests to the scheduling API', 'listStaffMembers 200', 'updateStaffMember 200'],
    ['**Credentials.** Send your key', 'rule a key or a token'],
    ['Or log in', 'login 200'],
    ['An invalid key returns 401', 'rule wrong key'],
    ['A key belongs to one company', 'listStaffMembers 403', 'rule no other company'],
    ['Every key may read.', 'rule everybody reads'],
    ['Writes require the scope `admin`', 'updateStaffMember 403'],
    ['For a key without this scope, `Tags`', 'rule hidden collections', 'rule nothing hidden through the proxy'],
    ['In pay modifiers, `PayModifierTagKeys`', 'rule hidden collections', 'rule nothing hidden through the proxy'],
    [
      'A query option that filters, orders, counts',
      'difference condition on hidden data',
      'rule nothing hidden through the proxy',
    ],
    ['The companyKey of another company', 'listStaffMembers 403', 'getStaffMember 404', 'rule no other company'],
    ['A key can be restricted further', 'listBadgeIds 403', 'updateStaffMember 403'],
    ['All other operations then return 403', 'listBadgeIds 403', 'updateStaffMember 403'],
    ['Requests are counted per owner', 'updateStaffMember 429', 'login 429'],
    ['`RateLimit` and `RateLimit-Policy`', 'rule limits are reported'],
    ['A request over the limit is rejected with 429', 'updateStaffMember 429'],
    ['Health checks are not counted.', 'rule pages cost no quota'],
    ['Pages, this contract, `/metrics` and CORS preflights', 'rule pages cost no quota'],
    ['are plain strings, in paths and in `$filter`', 'rule keys are strings', 'getStaffMember staff_key'],
    ['An unknown key in a path returns 404.', 'getStaffMember staff_key'],
    ['**Lists** are bare JSON arrays.', 'listStaffMembers 200'],
    ['support the OData 4.01 query options', 'rule names are case-sensitive'],
    ['Names of options and properties are case-sensitive', 'rule names are case-sensitive'],
    ['An undeclared query parameter returns 400.', 'getStaffMember 400', 'rule vendor’s forms stay outside'],
    ['Parameter aliases such as', 'rule parameter aliases'],
    ['Every read of one person has an `ETag`', 'rule versions', 'updateStaffMember If-Match'],
    ['A write that sends the version', 'updateStaffMember 412', 'rule one of two writers'],
    ['A read with `If-None-Match` returns 304', 'getStaffMember 304'],
    ['When the proxy caches responses', 'listStaffMembers 304'],
    ['have no offset and are compared as UTC', 'rule dates'],
    ['have a `Z`', 'rule dates'],
    ['**Errors** are problems', 'rule every fault'],
    ['`errors` lists every fault', 'rule every fault'],
    [
      'A method that a path does not support returns 405',
      'rule method not offered',
      'rule vendor’s forms stay outside',
    ],
    ['`OPTIONS` returns in `Allow` the methods', 'rule methods of a caller'],
    ['A fault of the upstream API returns 502', 'rule faults of the upstream'],
  ],
  login: [
    ['Takes the name of a key as email', '200', 'difference login with a key'],
    ['An existing client changes only its base URL', 'difference login with a key'],
    ['Send the token as', '200', 'rule a key or a token'],
    ['Log in again when it has expired', 'getStaffMember 401'],
    ['The token is valid no longer than its key', 'getStaffMember 401'],
    ['Credentials are accepted in the body only', '200', '400', '413'],
    ['Each attempt counts against the limit', '429'],
  ],
  LoginRequest: [['A key and its name.', 'login 200']],
  'StaffMemberCreate.TimeClockKioskPIN': [
    ['PIN for the time clock.', 'rule time clock PIN'],
    ['It is never returned or logged', 'rule time clock PIN'],
  ],
};

/** Why something in the contract has no test of its own, by the name of the response or parameter. */
export const reasons: Readonly<Record<string, string>> = {
  ...schedulingReasons,
  500: 'covers a fault of the proxy itself: no request is known to cause one. A fault of the upstream is 502',
};
