import { createRestWriter, operationsOf, readContract, repairAsDrawn } from './contract-page.js';

/* Starts Swagger UI on this server's document, in the system's colour scheme. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

/** With more operations, all groups start collapsed. */
const unfoldedMax = 40;

const page = document.getElementById('page');

readContract(start);

function start(spec) {
  const writeRest = createRestWriter(spec);
  globalThis.SwaggerUIBundle({
    spec,
    dom_id: '#page',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: operationsOf(spec).length > unfoldedMax ? 'none' : 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    requestInterceptor: (request) => writeRest(sendOnce(request)),
    // No validator badge from another origin, and no other document.
    validatorUrl: null,
    queryConfigEnabled: false,
    // Keys are not written to the browser's storage.
    persistAuthorization: false,
  });
  repairAsDrawn(page, nameControls);
}

/** Sends a key that is in both forms of "Authorize" once: twice it would be rejected. */
function sendOnce(request) {
  const { headers } = request;
  if (headers['X-API-Key'] && headers.Authorization === `Bearer ${headers['X-API-Key']}`) delete headers.Authorization;
  return request;
}

/** Repairs Swagger UI's accessibility: it has controls without names, and links within buttons. */
function nameControls(root) {
  for (const [selector, name] of Object.entries(names)) {
    for (const control of root.querySelectorAll(`${selector}:not([aria-label])`))
      control.setAttribute('aria-label', name);
  }
  // The surrounding button does the same, and sets the address.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  // Their texts are better names.
  for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label');
  for (const block of root.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}

const names = {
  '.close-modal': 'Close',
  '#servers': 'Server',
  '.operation-filter-input': 'Filter by tag or path',
  '.body-param__text': 'Request body',
  '.content-type': 'Media type',
  '.response-control-media-type__accept-controller select': 'Media type',
  '.examples-select-element': 'Example',
};
