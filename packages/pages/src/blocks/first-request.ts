import { createCurlLine } from '../curl-line.ts';
import { type Html, html } from '../html.ts';
import type { ListedOperation } from '../listed-operations.ts';
import type { RowOptions } from './operation-list.ts';

/** Returns the base address of the API and a command that works at once: that of an open GET operation if there is one. */
export function createFirstRequestBlock(operations: readonly ListedOperation[], options: RowOptions): Html | false {
  const reads = operations.filter(({ method, operation }) => method === 'get' && !('x-websocket' in operation));
  const first = reads.find((one) => !one.needsCredential) ?? reads[0] ?? operations[0];
  if (first === undefined) return false;
  const { origin, secretVariable } = options;
  return html`<section class="card first" id="first" aria-labelledby="first-title">
<h2 id="first-title">First request</h2>
<p class="hint">Base address: <code data-origin="${origin}">${origin}</code></p>
<pre tabindex="0" aria-label="Command of the first request"><code data-origin="${origin}">${createCurlLine(options.document, first, options)}</code></pre>
${first.needsCredential && html`<p class="hint">First set your key: <code>export ${secretVariable}=your-key</code></p>\n`}<button type="button" class="copy" aria-label="Copy curl of the first request" hidden>Copy curl</button>
</section>
`;
}
