import type { ContractLines } from '../contract-doc/check-lines.ts';
import { contractLines as schedulingLines, reasons as schedulingReasons } from '../scheduling-doc/contract-lines.ts';

/** The tests of each line of the contract as the staff proxy serves it: those of the scheduling API, and what differs. */
export const contractLines: ContractLines = {
  ...schedulingLines,
  info: [
    ['Read and change the staff of a company', 'rule 18 operations'],
    ['Requests are answered by the scheduling API', 'listStaffMembers 200', 'updateStaffMember 200'],
    ['**Credentials.** Send your key', 'rule a key or a token'],
    ['Or log in', 'login 200'],
    ['A wrong key is 401', 'rule wrong key'],
    ['A key stands for one company', 'listStaffMembers 403', 'rule no other company'],
    ['Every key may read.', 'rule everybody reads'],
    ['Writes need the scope `admin`', 'updateStaffMember 403'],
    ['To a key without it `Tags`', 'rule hidden collections', 'rule nothing hidden through the proxy'],
    ['In pay modifiers, a key without the scope', 'rule hidden collections', 'rule nothing hidden through the proxy'],
    [
      'A query option that filters, orders, counts',
      'difference condition on what is hidden',
      'rule nothing hidden through the proxy',
    ],
    ["Another company's companyKey is 403", 'listStaffMembers 403', 'getStaffMember 404', 'rule no other company'],
    ['A key may be limited further', 'listBadgeIds 403', 'updateStaffMember 403'],
    ['Requests are counted per owner', 'updateStaffMember 429', 'login 429'],
    ['`RateLimit` and `RateLimit-Policy`', 'rule limits are told'],
    ['a refused request gets 429', 'updateStaffMember 429'],
    ['Health is not counted.', 'rule pages cost no quota'],
    ['Pages, this contract, `/metrics` and CORS preflights', 'rule pages cost no quota'],
    ['are plain strings, in paths and in `$filter`', 'rule keys are strings', 'getStaffMember staff_key'],
    ['An unknown one in a path is 404.', 'getStaffMember staff_key'],
    ['**Lists** are bare JSON arrays.', 'listStaffMembers 200'],
    ['take the OData 4.01 query options', 'rule names are case-sensitive'],
    ['A query parameter that is not declared is 400.', 'getStaffMember 400', 'rule vendor’s forms stay outside'],
    ['Parameter aliases such as', 'rule parameter aliases'],
    ['What is read of one person comes with an `ETag`', 'rule versions', 'updateStaffMember If-Match'],
    ['A change that sends the version back', 'updateStaffMember 412', 'rule one of two writers'],
    ['A read with `If-None-Match` is 304', 'getStaffMember 304'],
    ['where the proxy keeps answers for a while', 'listStaffMembers 304'],
    ['have no offset and are compared as UTC', 'rule dates'],
    ['carry a `Z`', 'rule dates'],
    ['**Errors** are problems', 'rule every fault'],
    ['A method that a path does not offer is 405', 'rule method not offered', 'rule vendor’s forms stay outside'],
    ['A fault of the API behind the proxy is 502', 'rule faults of the upstream'],
  ],
  login: [
    ['Takes the name of a key as email', '200', 'difference login with a key'],
    ['Send the token as', '200', 'rule a key or a token'],
    ['log in again when it has expired', 'getStaffMember 401'],
    ['it ends with its key', 'getStaffMember 401'],
    ['Credentials are read from the body alone', '200', '400', '413'],
    ['Each try counts against the limit', '429'],
  ],
  LoginRequest: [['A key and its name.', 'login 200']],
  'StaffMemberCreate.TimeClockKioskPIN': [
    ['PIN for the time clock.', 'rule time clock PIN'],
    ['It is taken in and never given out', 'rule time clock PIN'],
  ],
};

/** Why something in the contract has no test of its own, by the name of the response or parameter. */
export const reasons: Readonly<Record<string, string>> = {
  ...schedulingReasons,
  500: 'stands for a fault of the proxy itself: no request is known to cause one. A fault of the upstream is 502',
};
