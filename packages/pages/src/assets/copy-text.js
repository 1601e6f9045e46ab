/** Copies an element's text; returns whether that worked. If not, the text is selected. */
export async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // Pages over plain HTTP have no clipboard API.
    const details = element.closest('details');
    if (details !== null) details.open = true;
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}
