import { proxyDocument } from '@rostergate/staff-spec';
import { createRequestTable } from '../staff/requests.ts';

/** The requests of the proxy's contract, which declares more statuses than that of the API. */
export const { requestsThatAnswer, requestsThatTake } = createRequestTable(proxyDocument);
