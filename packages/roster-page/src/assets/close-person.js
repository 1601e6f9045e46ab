/** Closes the panel unless the reader wants to keep unsaved input; returns whether it is closed. */
export function closePerson() {
  const panel = document.getElementById('person');
  if (panel.querySelector('form.changed') !== null && !confirm('Discard your unsaved changes?')) return false;
  panel.replaceChildren();
  panel.close();
  return true;
}
