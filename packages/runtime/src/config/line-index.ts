/** Makes the reader of places in a text: line and column of a character, both from 1. Lines are counted once. */
export function createLineIndex(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= findLineStarts(text);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
