/** Whether an element's text is on the clipboard now; if not, it is selected. */
export async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // No clipboard for pages over plain HTTP: the text is selected, and copied where browsers still do that.
    const details = element.closest('details');
    if (details !== null) details.open = true;
    getSelection().selectAllChildren(element);
    return document.execCommand('copy');
  }
}
