/** Runs a mending of what a library draws: now, and after each time it has drawn more, once a frame at most. */
export function mendAsDrawn(page, mend) {
  let isDue = false;
  const later = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mend(page);
    });
  };
  new MutationObserver(later).observe(page, { childList: true, subtree: true });
  later();
}
