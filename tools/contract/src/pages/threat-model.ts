/** The promises that concern security. Each must be the proof of at least one threat. */
const securityPromises = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 29, 30, 34, 40];

/** What the proofs of the page lead to. */
export interface Proofs {
  /** Names of the files in `tools/acceptance/promises`. */
  readonly promiseFiles: readonly string[];
  /** Returns the text of a test file by its path from the root of the workspace, or undefined without one. */
  readTest(path: string): string | undefined;
}

/** Returns the threats without a valid proof, and the promises of security that prove none, each as a sentence. */
export function findThreatFaults(page: string, proofs: Proofs): string[] {
  const rows = [...page.matchAll(/^\| ([STRIDE]) \| (.+?) \| .+? \| (.*) \|$/gm)];
  const used = new Set<number>();
  const faults = rows.flatMap(([, , threat = '', cell = '']) => {
    const links = [...cell.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)];
    if (links.length === 0) return [`"${threat}" has no proof.`];
    return links.flatMap(([, text = '', path = '']) => {
      if (/^\d+$/.test(text)) used.add(Number(text));
      const isThere = /^\d+$/.test(text) ? leadsToPromise(text, path) : hasTitle(proofs.readTest(path), text);
      return isThere ? [] : [`"${threat}": ${path} has no trial or test "${text}".`];
    });
  });
  const unused = securityPromises.filter((number) => !used.has(number));
  return [...faults, ...unused.map((number) => `Promise ${number} is the proof of no threat.`)];

  function leadsToPromise(number: string, path: string): boolean {
    const [, file = ''] = /^tools\/acceptance\/promises\/(.+)$/.exec(path) ?? [];
    return file.startsWith(`${number.padStart(2, '0')}-`) && proofs.promiseFiles.includes(file);
  }
}

/** Whether a test has these words in its title, which is the first argument of a call. */
function hasTitle(source: string | undefined, words: string): boolean {
  const titles = source?.matchAll(/\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"([^"\\\n]+)")/g) ?? [];
  return [...titles].some(([, single = '', double = '']) => (single || double).includes(words));
}
