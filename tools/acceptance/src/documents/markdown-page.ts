/** A fenced block of code. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Of its fence, from 1. */
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
  /** Why it is not run, from a comment above it: `<!-- not run: … -->`. */
  readonly notRun: string | undefined;
}

export interface PageLink {
  readonly target: string;
  readonly line: number;
}

/** The parts of a Markdown page that the tests use. */
export interface MarkdownPage {
  /** From the root of the workspace. */
  readonly path: string;
  /** The anchors of its headings, without the `#`. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly PageLink[];
  readonly blocks: readonly CodeBlock[];
  /** Lines of code outside of fences, which have no language. */
  readonly indentedCode: readonly number[];
}

interface OpenBlock {
  readonly fence: string;
  readonly indent: number;
  readonly block: Omit<CodeBlock, 'text'>;
  readonly lines: string[];
}

/** Parses a page line by line. Never throws: anything else is text. */
export function parseMarkdownPage(path: string, text: string): MarkdownPage {
  const anchors = new Set<string>();
  const links: PageLink[] = [];
  const blocks: CodeBlock[] = [];
  const indentedCode: number[] = [];
  let open: OpenBlock | undefined;
  let heading = '';
  let notRun: string | undefined;
  let isInList = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (open !== undefined) {
      if (line.trim() === open.fence) {
        blocks.push({ ...open.block, text: open.lines.map((each) => `${each}\n`).join('') });
        open = undefined;
      } else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
      continue;
    }
    const [, indent, fence, language] = /^( *)(`{3,})([\w-]*)\s*$/.exec(line) ?? [];
    if (fence !== undefined) {
      open = {
        fence,
        indent: indent?.length ?? 0,
        block: { language: language ?? '', line: i + 1, heading, notRun },
        lines: [],
      };
      notRun = undefined;
      continue;
    }
    const [, reason] = /^\s*<!-- not run: (.+) -->$/.exec(line) ?? [];
    if (reason !== undefined) notRun = reason;
    else if (line.trim() !== '') notRun = undefined;

    const [, title] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (title !== undefined) {
      heading = title;
      anchors.add(anchorOf(title, anchors));
    }
    if (/^ *([-*]|\d+\.) /.test(line)) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    if (/^ {4,}\S/.test(line) && !isInList) indentedCode.push(i + 1);
    for (const [, target = ''] of withoutCode(line).matchAll(/\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g)) {
      links.push({ target, line: i + 1 });
    }
  }
  return { path, anchors, links, blocks, indentedCode };
}

/** As GitHub does it: small letters, no punctuation, a dash for each space, a number for the second of a name. */
function anchorOf(title: string, taken: ReadonlySet<string>): string {
  const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const name = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
  let anchor = name;
  for (let count = 1; taken.has(anchor); count++) anchor = `${name}-${count}`;
  return anchor;
}

/** Text in backticks is not a link. */
function withoutCode(line: string): string {
  return line.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, 'code');
}
