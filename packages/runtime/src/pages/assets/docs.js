import { mendAsDrawn } from './mend-as-drawn.js';
import { operationsOf, readContract } from './contract-page.js';

/* Starts Swagger UI on the document of this server, in the colours the reader's system asks for. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

/** With more operations than this every group begins folded: thousands of open rows would not be read anyway. */
const unfoldedMax = 40;

const page = document.getElementById('page');

readContract(start);

function start(spec) {
  globalThis.SwaggerUIBundle({
    spec,
    dom_id: '#page',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: operationsOf(spec).length > unfoldedMax ? 'none' : 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    requestInterceptor: sendOnce,
    // No badge of the validator on another origin, and no document but this server's.
    validatorUrl: null,
    queryConfigEnabled: false,
    // A key lives as long as the page: nothing is written to the browser's storage.
    persistAuthorization: false,
  });
  mendAsDrawn(page, nameControls);
}

/** Whoever fills in both forms of "Authorize" means one key: sent twice it would be refused. */
function sendOnce(request) {
  const { headers } = request;
  if (headers['X-API-Key'] && headers.Authorization === `Bearer ${headers['X-API-Key']}`) delete headers.Authorization;
  return request;
}

/** Swagger UI leaves controls without a name, and puts links into buttons. */
function nameControls(root) {
  for (const [selector, name] of Object.entries(names)) {
    for (const control of root.querySelectorAll(`${selector}:not([aria-label])`))
      control.setAttribute('aria-label', name);
  }
  // The button around it does the same, and sets the address too.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  // Their texts name them better.
  for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  for (const block of root.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}

const names = {
  '.close-modal': 'Close',
  '#servers': 'Server',
  '.operation-filter-input': 'Filter by tag or path',
  '.body-param__text': 'Body of the request',
  '.content-type': 'Media type',
  '.response-control-media-type__accept-controller select': 'Media type',
  '.examples-select-element': 'Example',
};
