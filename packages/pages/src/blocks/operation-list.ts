import type { OpenApiDocument } from '@rostergate/server';
import { type CurlOptions, createCurlLine } from '../curl-line.ts';
import { createProse, type Html, html } from '../html.ts';
import type { OperationPage } from '../listed-operations.ts';
import { groupOf, type ListedOperation } from '../listed-operations.ts';

export interface OperationListOptions extends CurlOptions {
  readonly document: OpenApiDocument;
  readonly page: OperationPage;
  /** All tags. */
  readonly tags: readonly string[];
  /** The page with the details of operations, if any. */
  readonly reference: 'docs' | 'redoc' | undefined;
  readonly emptyText: string;
}

/** A shorter list has no filter. */
const searchableFrom = 6;

/**
 * Returns one page of operations by group, with a filter that works as a plain form; operation-list.js loads only the
 * list, and filters a complete list without a request.
 */
export function createOperationListBlock(options: OperationListOptions): Html {
  const { page, tags, emptyText } = options;
  const { query, total, pages } = page;
  const isWhole = page.found === total && pages === 1;
  return html`<section id="endpoints" class="operations" aria-labelledby="endpoints-title" tabindex="-1">
<div class="head"><h2 id="endpoints-title">Endpoints</h2><p class="count" id="endpoints-count">${countText(page)}</p></div>
${total === 0 && html`<p class="card hint">${emptyText}</p>\n`}${
  total >= searchableFrom &&
  html`<form class="filter card" id="filter" role="search" action="./#endpoints"${isWhole && html` data-whole`}>
<div class="find"><label for="filter-q">Filter</label><input id="filter-q" name="q" type="search" value="${query.q}" maxlength="200" placeholder="Path, method, summary or tag" autocomplete="off" spellcheck="false"></div>
${tags.length > 1 && html`<div class="pick"><label for="filter-tag">Tag</label><select id="filter-tag" name="tag"><option value="">All</option>${tags.map((tag) => html`<option${tag === query.tag && html` selected`}>${tag}</option>`)}</select></div>\n`}<button id="filter-go">Filter</button>
</form>
`
}<div id="endpoints-found">
${page.found === 0 && total > 0 && html`<p class="card hint">No matches. Try fewer words, or all tags.</p>\n`}${groupsOf(page.operations).map(([name, operations]) => createGroup(name, operations, options))}${pages > 1 && createPager(page)}</div>
</section>
`;
}

function countText({ found, total }: Pick<OperationPage, 'found' | 'total'>): string {
  return found === total ? numberText(total) : `${numberText(found)} of ${numberText(total)}`;
}

/** Returns the collapsed list of built-in operations. */
export function createBuiltInBlock(operations: readonly ListedOperation[], options: RowOptions): Html {
  return html`<details class="built-in" id="built-in">
<summary>Built-in routes <span class="count">${operations.length}</span></summary>
${groupsOf(operations).map(([name, members]) => createGroup(name, members, options))}</details>
`;
}

export type RowOptions = Pick<OperationListOptions, 'document' | 'reference' | 'origin' | 'secretVariable'>;

function groupsOf(operations: readonly ListedOperation[]): [string, ListedOperation[]][] {
  const groups = new Map<string, ListedOperation[]>();
  for (const operation of operations) {
    const group = groups.get(groupOf(operation));
    if (group === undefined) groups.set(groupOf(operation), [operation]);
    else group.push(operation);
  }
  return [...groups];
}

function createGroup(name: string, operations: readonly ListedOperation[], options: RowOptions): Html {
  return html`<div class="group">
<h3>${name}</h3>
<ul class="card rows">
${operations.map((operation) => createRow(operation, options))}</ul>
</div>
`;
}

function createRow(listed: ListedOperation, options: RowOptions): Html {
  const { method, path, operation } = listed;
  const { summary = '', description = '', operationId = '' } = operation;
  const line = createCurlLine(options.document, listed, options);
  const scopes = operation['x-required-scopes'] ?? [];
  const limit = operation['x-rate-limit-per-minute'];
  const verb = method.toUpperCase();
  const href = referenceTo(options.reference, listed);
  return html`<li class="row" id="op-${operationId}" data-find="${listed.haystack}" data-tags="${listed.tags.join('\n')}">
<details>
<summary><span class="verb ${method}">${verb}</span> <span class="about"><span class="what"><code class="path">${breakable(path)}</code> <span class="summary">${createProse(summary)}</span></span>${
    (listed.needsCredential || limit !== undefined) &&
    html`
<span class="marks">${listed.needsCredential && html`<span class="mark key">needs a key</span> `}${scopes.map((scope) => html`<span class="mark scope"><span class="unseen">scope </span>${scope}</span> `)}${limit !== undefined && html`<span class="mark limit">${numberText(limit)} a minute</span>`}</span>`
  }</span></summary>
<div class="more">
${description !== '' && description !== summary && html`<p>${createProse(description)}</p>\n`}<pre tabindex="0" aria-label="Command for ${verb} ${path}"><code data-origin="${options.origin}">${line}</code></pre>
${href && html`<p><a href="${href}">Parameters and responses</a></p>\n`}</div>
</details>
<button type="button" class="copy" aria-label="Copy curl for ${verb} ${path}" hidden>Copy curl</button>
</li>
`;
}

/** Allows a line break after each segment of a path. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=[^/]\/)/).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`;
}

function referenceTo(page: OperationListOptions['reference'], listed: ListedOperation): string | undefined {
  const { operationId } = listed.operation;
  if (page === undefined || operationId === undefined) return undefined;
  const [tag, id] = [encodeURIComponent(listed.tags[0] ?? 'default'), encodeURIComponent(operationId)];
  return page === 'docs' ? `docs#/${tag}/${id}` : `redoc#operation/${id}`;
}

function createPager({ page, pages, query }: OperationPage): Html {
  const hrefOf = (target: number) => {
    const parameters = new URLSearchParams({ ...query, page: String(target) });
    return `./?${parameters}#endpoints`;
  };
  const step = (target: number, text: string) =>
    target >= 1 && target <= pages
      ? html`<a href="${hrefOf(target)}" data-page="${target}">${text}</a>`
      : html`<span aria-hidden="true">${text}</span>`;
  return html`<nav class="pager" aria-label="Parts of the list">
${step(page - 1, 'Previous')}
<span>Part ${numberText(page)} of ${numberText(pages)}</span>
${step(page + 1, 'Next')}
</nav>
`;
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
