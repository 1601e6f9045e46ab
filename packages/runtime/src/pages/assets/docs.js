/* Starts Swagger UI on the document of this server, in the colours the reader's system asks for. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

globalThis.SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  // No badge of the validator on another origin, and no document but this server's.
  validatorUrl: null,
  queryConfigEnabled: false,
  // A key lives as long as the page: nothing is written to the browser's storage.
  persistAuthorization: false,
});
