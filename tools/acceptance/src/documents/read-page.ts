import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { pickFreePorts } from '../../../workspace/free-ports.ts';
import { outsideEnv } from '../start-server.ts';
import { installedCommands, standInCommands, writeCommands } from './installed-commands.ts';
import type { CodeBlock } from './markdown-page.ts';
import { pageAt } from './pages.ts';

/** How the blocks of a page, or of a part of it, are run. */
export interface Reading {
  readonly page: string;
  /** The headings whose blocks are read; all of them by default. */
  readonly headings?: readonly string[];
  /** Replacements for placeholders of the page. Addresses of servers are replaced too. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Files that the page expects in the working folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Shell commands that run first. */
  readonly before?: string;
  /** Whether the settings of the proxy get the address of the scheduling server of this run. */
  readonly inFrontOfScheduling?: boolean;
  /** Shell commands in place of a block that is not shell. */
  readonly doing?: (block: CodeBlock) => string | undefined;
  /** Shell commands that run at the end, to check the result. */
  readonly after?: string;
}

export interface ReadPage {
  /** The standard output of each block, `after` last, mixed with server logs. */
  readonly outputs: readonly string[];
  readonly stderr: string;
  readonly folder: string;
}

/** The blocks of a reading that run, in order. */
export function blocksOf({ page, headings }: Reading): CodeBlock[] {
  const { blocks } = pageAt(page);
  for (const name of headings ?? []) {
    if (!blocks.some(({ heading }) => heading === name)) throw new Error(`${page} has no block below "${name}".`);
  }
  const isRead = ({ heading, notRun }: CodeBlock) =>
    notRun === undefined && (headings === undefined || headings.includes(heading));
  return blocks.filter(isRead);
}

/**
 * Runs the shell blocks of a page as a reader would: in one shell, in a new folder, each server in the background once
 * it is ready. A block of code whose first line names a file is written there. Everything ends with the test.
 */
export async function readPage(reading: Reading): Promise<ReadPage> {
  const { replaced = {}, env = {}, stdin = '', files = {}, before, doing = () => undefined, after } = reading;
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-reader-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const commands = join(folder, '.commands');
  const standIns = join(folder, '.stand-ins');
  const [gateway, proxy, scheduling] = await pickFreePorts(3);
  const ports = { 8000: gateway, 8010: proxy, 8020: scheduling };
  await writeCommands(commands, installedCommands);
  await writeCommands(standIns, standInCommands);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { mode: 0o600 });
  }

  const steps = blocksOf(reading).flatMap((block) => {
    if (block.language === 'sh') return [block.text];
    const step = doing(block) ?? writeNamedFile(block);
    return step === undefined ? [] : [step];
  });
  if (before !== undefined) steps.unshift(before);
  if (after !== undefined) steps.push(after);
  let script = steps.join(`echo '${separator}'\n`);
  for (const [from, to] of Object.entries(replaced)) {
    if (!script.includes(from)) throw new Error(`${reading.page} has no ${from}.`);
    script = script.replaceAll(from, to);
  }
  for (const [usual, free] of Object.entries(ports))
    script = script.replaceAll(`127.0.0.1:${usual}`, `127.0.0.1:${free}`);
  script = withServersBehind(withProgramsReady(script));
  await writeFile(join(folder, '.stdin'), stdin);
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${preamble}${script}`], {
    cwd: folder,
    env: {
      ...outsideEnv(),
      ROSTERGATE_PORT: String(gateway),
      ROSTERGATE_PROXY_PORT: String(proxy),
      ROSTERGATE_SCHEDULING_PORT: String(scheduling),
      ...(reading.inFrontOfScheduling ? { ROSTERGATE_PROXY_UPSTREAM_URL: `http://127.0.0.1:${scheduling}` } : {}),
      NO_COLOR: '1',
      ...env,
      PATH: [commands, env.PATH ?? process.env.PATH, standIns].join(delimiter),
    },
    timeout: 100_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return { outputs: stdout.split(`${separator}\n`), stderr, folder };
}

const separator = '--- next block ---';

const preamble = `exec <.stdin
end() { kill -KILL $(jobs -p) 2>/dev/null || true; wait; }
trap end EXIT
ready() {
  until : </dev/tcp/127.0.0.1/"$1"; do
    kill -0 $! || exit 1
    sleep 0.1
  done 2>/dev/null
}
`;

const portOf: Readonly<Record<string, string>> = {
  rostergate: '$ROSTERGATE_PORT',
  'staff-proxy': '$ROSTERGATE_PROXY_PORT',
  scheduling: '$ROSTERGATE_SCHEDULING_PORT',
};

/** Moves servers to the background, where a reader uses another shell; the next line waits until they are ready. */
function withServersBehind(text: string): string {
  return text.replace(
    /^(?:npx |npm run -s )?(?:rostergate-)?(rostergate|staff-proxy|scheduling|issuer)(?: --)?( serve\b[^|&#\n]*)?$/gm,
    (line, program: string, rest: string | undefined) => {
      if (program === 'rostergate' && rest === undefined) return line;
      const [, port = portOf[program]] = /--port[= ](\d+)/.exec(line) ?? [];
      return `${line} &\nready "${port}"`;
    },
  );
}

/** Lets the line after a program in the background wait until it listens: on its last argument, or as its file says. */
function withProgramsReady(text: string): string {
  return text.replace(/^node (\S+)(?: .*?(\d+))? &$/gm, (line, file: string, given: string | undefined) => {
    const [, code = ''] = text.split(`cat > ${file} <<`);
    const port = given ?? /\.listen\((\d+)/.exec(code)?.[1];
    return port === undefined ? line : `${line}\nready "${port}"`;
  });
}

/** A file that the page shows begins with its path: `// services/greet.ts`. */
function writeNamedFile({ text }: CodeBlock): string | undefined {
  const [, path] = /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(text) ?? [];
  if (path === undefined) return undefined;
  return `mkdir -p "$(dirname '${path}')"\ncat > '${path}' <<'END_OF_FILE'\n${text}END_OF_FILE\n`;
}
