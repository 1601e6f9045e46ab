/**
 * Shows that work goes on: on a terminal one line with the seconds so far, elsewhere the text once.
 * @param {{ text: string, write: (text: string) => void, isTerminal: boolean }} options
 * @returns {() => void} ends it and clears the line
 */
export function showProgress({ text, write, isTerminal }) {
  if (!isTerminal) {
    write(`${text} …\n`);
    return () => {};
  }
  const startedMs = Date.now();
  const show = () => write(`\r${text} … ${Math.round((Date.now() - startedMs) / 1000)} s`);
  show();
  const timer = setInterval(show, 500);
  return () => {
    clearInterval(timer);
    write('\r\x1b[K');
  };
}
