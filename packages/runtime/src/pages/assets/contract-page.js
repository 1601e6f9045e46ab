/** Gives the document of this server to `start`; says on the page why it could not. */
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
    notice.textContent = `The contract could not be read: ${error.message}`;
    page.replaceChildren(notice);
  }
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** Every operation of a document, with where it stands. */
export function operationsOf(contract) {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }])),
  );
}
