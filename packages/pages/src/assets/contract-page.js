/** Loads the document of this server and calls `start` with it; shows a failure on the page. */
export async function readContract(start) {
  const page = document.getElementById('page');
  try {
    const response = await fetch(new URL('openapi.json', document.baseURI));
    const contract = await response.json();
    if (!response.ok) throw new Error(contract.detail ?? contract.title);
    start(contract);
  } catch (error) {
    const notice = document.createElement('p');
    notice.className = 'notice';
    notice.setAttribute('role', 'alert');
    notice.textContent = `The contract could not be loaded: ${error.message}`;
    page.replaceChildren(notice);
  }
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** Returns the operations of a document with their paths and methods. */
export function operationsOf(contract) {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }])),
  );
}

/**
 * Returns a function that writes the slashes of a last parameter with `x-multi-segment` into the URL of a request:
 * Swagger UI encodes them, and the server rejects encoded ones.
 */
export function createRestWriter(contract) {
  const ends = operationsOf(contract)
    .filter(({ path, operation }) =>
      [...(contract.paths[path].parameters ?? []), ...(operation.parameters ?? [])].some((p) => p['x-multi-segment']),
    )
    .map(({ path }) => new RegExp(`${path.replace(/[.$+]/g, '\\$&').replace(/\{[^{}]*\}/g, '[^/]+')}$`));
  return (request) => {
    const [path, ...query] = request.url.split('?');
    if (!ends.some((end) => end.test(path))) return request;
    const start = path.lastIndexOf('/');
    const plain = path.slice(0, start) + path.slice(start).replaceAll('%2F', '/');
    return Object.assign(request, { url: [plain, ...query].join('?') });
  };
}

/** Calls `repair` now and after each change of the page by a library, at most once a frame. */
export function repairAsDrawn(page, repair) {
  let isDue = false;
  const later = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      repair(page);
    });
  };
  new MutationObserver(later).observe(page, { childList: true, subtree: true });
  later();
}
