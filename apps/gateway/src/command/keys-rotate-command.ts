import { type RawKeyEntry, rotateKey } from '@rostergate/runtime/keys';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { configOption } from './config-option.ts';
import { describeEnd, editKeys, keysStoreOf, mintKey, refuseKey, showKey } from './key-editing.ts';
import { parseExpiry, parseOverlap, parsePrefix } from './key-options.ts';

interface Options {
  readonly config?: string;
  readonly overlap: string;
  readonly expires?: string;
  readonly prefix?: string;
  readonly json?: true;
}

/** `rostergate keys rotate` */
export function createKeysRotateCommand(context: CommandContext): Command {
  const { terminal, clock, random } = context;
  return new Command('rotate')
    .summary('Replace a key; both are good for a while')
    .description(
      'Creates a successor of a key, with the same owner and scopes and a name with the next number (ops, ops-2), and shows it once. The old key ends after the overlap.',
    )
    .argument('<name>', 'name of the key')
    .option('--overlap <duration>', 'how long the old key stays good: 24h, 7d, 30m, or 0', '24h')
    .option('--expires <when>', 'when the new key ends (default: it lives as long as the old one was to live)')
    .option('--prefix <prefix>', 'what the new key begins with (default: as the old one)')
    .addOption(configOption())
    .option('--json', 'print the new key and its entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (given: string, options: Options) => {
      const name = refuseKey(given);
      const nowMs = clock();
      const overlapMs = parseOverlap(options.overlap);
      const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, nowMs);
      const prefix = options.prefix === undefined ? undefined : parsePrefix(options.prefix);
      let shown: { key: string; entry: RawKeyEntry; endsAt: unknown } | undefined;
      await editKeys(keysStoreOf(context, options.config), (file) => {
        const old = file.keys.find((key) => key.name === name);
        const { key, ...minted } = mintKey(prefix ?? prefixOf(old), random);
        const successor = {
          ...minted,
          created_at: new Date(nowMs).toISOString(),
          expires_at: expiresAt?.toISOString() ?? sameLife(old, nowMs),
        };
        const rotated = rotateKey(file, { name, nowMs, overlapMs, successor });
        shown = { key, entry: rotated.entry, endsAt: rotated.file.keys.find((one) => one.name === name)?.expires_at };
        return rotated.file;
      });
      if (shown === undefined) return;
      const { key, entry, endsAt } = shown;
      const told = `Created ${entry.name}, which ${describeEnd(entry.expires_at)}; ${name} ${describeEnd(endsAt)}.`;
      const extra = { replaces: { name, expires_at: endsAt } };
      showKey(terminal, { key, entry, told, wantsJson: options.json === true, extra });
    });
}

function prefixOf(old: RawKeyEntry | undefined): string {
  return /^([a-z][a-z0-9]{1,15})_live_/.exec(String(old?.prefix ?? ''))?.[1] ?? 'rg';
}

function sameLife(old: RawKeyEntry | undefined, nowMs: number): string | null {
  const lifeMs = Date.parse(String(old?.expires_at ?? '')) - Date.parse(String(old?.created_at ?? ''));
  return lifeMs > 0 ? new Date(nowMs + lifeMs).toISOString() : null;
}
