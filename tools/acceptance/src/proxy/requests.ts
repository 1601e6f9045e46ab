import { proxyDocument } from '@rostergate/staff-spec';
import { createRequestTable } from '../staff/requests.ts';

/** By the contract as the proxy serves it, which lets more operations answer so than that of the API behind it. */
export const { requestsThatAnswer, requestsThatTake } = createRequestTable(proxyDocument);
