import { Command } from 'commander';
import { type RawKeyEntry, rotateKey } from '../keys/index.ts';
import { describeEnd, editKeys, mintKey, refuseKey, showKey } from './key-editing.ts';
import { parseExpiry, parseOverlap, parsePrefix } from './key-options.ts';
import type { KeysCommandOptions } from './keys-command.ts';

interface Given extends Readonly<Record<string, unknown>> {
  readonly overlap: string;
  readonly expires?: string;
  readonly prefix?: string;
  readonly json?: true;
}

/** `… keys rotate` */
export function createKeysRotateCommand(options: KeysCommandOptions): Command {
  const { terminal, clock, random, storeOf, fileOptions, program, keyPrefix, grants } = options;
  const command = new Command('rotate')
    .summary('Replace a key; both are good for a while')
    .description(
      `Creates a successor of a key, with the same ${grants.keptByRotation} and a name with the next number (ops, ops-2), and shows it once. The old key ends after the overlap.`,
    )
    .argument('<name>', 'name of the key')
    .option('--overlap <duration>', 'how long the old key stays good: 24h, 7d, 30m, or 0', '24h')
    .option('--expires <when>', 'when the new key ends (default: it lives as long as the old one was to live)')
    .option('--prefix <prefix>', 'what the new key begins with (default: as the old one)');
  for (const option of fileOptions()) command.addOption(option);
  return command
    .option('--json', 'print the new key and its entry as JSON')
    .helpOption('-h, --help', 'Show help')
    .action(async (text: string, given: Given) => {
      const name = refuseKey(text, program);
      const nowMs = clock();
      const overlapMs = parseOverlap(given.overlap);
      const expiresAt = given.expires === undefined ? undefined : parseExpiry(given.expires, nowMs);
      const prefix = given.prefix === undefined ? undefined : parsePrefix(given.prefix);
      let shown: { key: string; entry: RawKeyEntry; endsAt: unknown } | undefined;
      await editKeys(storeOf(given), (file) => {
        const old = file.keys.find((key) => key.name === name);
        const { key, ...minted } = mintKey(prefix ?? prefixOf(old) ?? keyPrefix, random);
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
      showKey(terminal, { key, entry, toJson: grants.toJson, told, wantsJson: given.json === true, extra });
    });
}

function prefixOf(old: RawKeyEntry | undefined): string | undefined {
  return /^([a-z][a-z0-9]{1,15})_live_/.exec(String(old?.prefix ?? ''))?.[1];
}

function sameLife(old: RawKeyEntry | undefined, nowMs: number): string | null {
  const lifeMs = Date.parse(String(old?.expires_at ?? '')) - Date.parse(String(old?.created_at ?? ''));
  return lifeMs > 0 ? new Date(nowMs + lifeMs).toISOString() : null;
}
