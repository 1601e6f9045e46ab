import type { AnyHandler, Context, Handlers, RawReply } from '@rostergate/server';
import { type Fault, faultsMax, Problem } from '@rostergate/server/problem';
import type { Account } from '../accounts/account-store.ts';
import { type CompanyFile, companyFiles } from '../company-files/company-file.ts';
import type { CompanyImport } from '../company-files/import-company.ts';
import type { PlacedFault } from '../company-files/import-context.ts';
import { openCompanyRows } from '../company-files/read-company-file.ts';
import type { StaffStore } from '../store/staff-store.ts';
import { tagHeaders } from './entity-tags.ts';
import { chooseListForm } from './list-form.ts';
import { scopeOf, writeScopeOf } from './request-scope.ts';

interface ExportRequest {
  readonly path: { readonly catalogue: string };
}

interface ImportRequest extends ExportRequest {
  readonly query: { readonly dry_run?: boolean };
  /** CSV text, or the entries of a JSON array. */
  readonly body: string | readonly unknown[];
}

/** The contract allows no other names. */
const fileOf = ({ path }: ExportRequest) => companyFiles.find(({ name }) => name === path.catalogue) as CompanyFile;

/** Returns the handlers of `/admin/{catalogue}`, which import and export one file of a company. */
export function createCatalogueHandlers(
  store: Pick<StaffStore, 'exportCatalogue' | 'importCompany'>,
  bodyBytesMax: number,
): Handlers {
  const importRows =
    (isReplacing: boolean): AnyHandler =>
    async (request: ImportRequest, context: Context<Account>) => {
      const { body } = request;
      const file = fileOf(request);
      const { name } = file;
      const isDryRun = request.query.dry_run === true;
      const outcome = await store.importCompany({
        ...{ scope: writeScopeOf(context), isReplacing, isDryRun, isTimed: true, faultsMax, onProgress: () => {} },
        files: [{ file, name, isJson: typeof body !== 'string', open: () => openCompanyRows(body, file) }],
      });
      if (outcome.faultCount > 0) throw toProblem(outcome);
      const [{ rows = 0, added = 0, changed = 0, same = 0, removed = 0 } = {}] = outcome.files;
      const counts = { rows, added, changed, same, removed };
      return { status: 200, body: { catalogue: name, ...counts, is_written: outcome.isWritten } };
    };
  return {
    async exportCatalogue(request: ExportRequest, context: Context<Account>): Promise<RawReply> {
      const { companyKey } = scopeOf(context);
      const format = chooseListForm(context.req.headers.accept) === 'csv' ? 'csv' : 'json';
      const options = { companyKey, file: fileOf(request), format, bytesMax: bodyBytesMax } as const;
      const { text, tag } = await store.exportCatalogue(options);
      const contentType = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
      const headers = { ...tagHeaders(tag), Vary: 'Authorization, Accept' };
      return { status: 200, raw: text, contentType, headers };
    },
    mergeCatalogue: importRows(false),
    replaceCatalogue: importRows(true),
  };
}

function toProblem({ faults, faultCount }: CompanyImport): Problem {
  const more = faultCount - faults.length;
  const which =
    more > 0 ? `the first ${faults.length} of ${faultCount} faults, listed in errors,` : 'the faults listed in errors';
  return new Problem('validation_failed', `Nothing was written. Correct ${which} and send the request again.`, {
    errors: faults.map(toFault),
  });
}

/** A row of JSON has a pointer; one of CSV has a line and a column, which pointers cannot name. */
function toFault({ isJson, line, column, name, detail }: PlacedFault): Fault {
  if (line === 0) return { pointer: '', detail };
  if (isJson) return { pointer: `/${line - 1}${name === '' ? '' : `/${name}`}`, detail };
  const place = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`;
  return { pointer: '', detail: `${place}${name === '' ? '' : `, ${name}`}: ${detail}` };
}
