import { CommandFailure, exitCodes } from '@rostergate/config/command';
import { didYouMean } from '@rostergate/server/problem';
import { Command } from 'commander';
import type { Settings } from '../settings.ts';
import type { OpenStore } from '../store/staff-store.ts';
import { describeOutcome, isAccepted, secretDiffers } from '../webhooks/deliver-next.ts';
import { createPostMessage } from '../webhooks/post-message.ts';
import { createReceiverRules, ReceiverError } from '../webhooks/receiver-rules.ts';
import { resolveReceiver } from '../webhooks/resolve-receiver.ts';
import { attemptMs } from '../webhooks/serve-webhooks.ts';
import { createTestMessage, signMessage } from '../webhooks/webhook-message.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { type Webhook, webhooksMax } from '../webhooks/webhook-store.ts';
import { addDatabaseOptions, type CommandContext, pickDatabase, withDatabase } from './database-command.ts';
import { requireCompany } from './require-company.ts';
import { formatWebhooks, toJson } from './webhook-output.ts';

interface JsonOption {
  readonly json?: true;
}

export function createWebhooksCommand(context: CommandContext): Command {
  return new Command('webhooks')
    .description(
      'Adds, lists, disables, enables and removes webhooks: addresses that a running server calls when people of a company change. The server applies every change within five seconds.',
    )
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command')
    .commandsGroup('Commands:')
    .addCommand(createAddCommand(context))
    .addCommand(createListCommand(context))
    .addCommand(createSendTestCommand(context))
    .addCommand(createRotateCommand(context))
    .addCommand(createSwitch(context, 'disable'))
    .addCommand(createSwitch(context, 'enable'))
    .addCommand(createResetCommand(context))
    .addCommand(createRemoveCommand(context));
}

function createAddCommand(context: CommandContext): Command {
  const { terminal, randomBytes } = context;
  const command = new Command('add')
    .summary('Add a webhook')
    .description(
      `Adds a webhook for the changes from now on, and prints its signing secret once. A company has at most ${webhooksMax} webhooks.`,
    )
    .argument('<url>', 'address of the receiver: https, and public unless webhook_private_receivers lists it')
    .requiredOption('--company <key>', 'the company whose changes are sent')
    .option('--json', 'print the webhook and its secret as JSON');
  return addDatabaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  rostergate-scheduling webhooks add https://hooks.example/staff --company my-company > secret.txt',
    )
    .action(async (address: string, { company, json, ...rest }: JsonOption & { readonly company: string }) => {
      const key = `wh_${randomBytes(12).toString('base64url')}`;
      const { webhook, secret } = await withDatabase(context, pickDatabase(rest), async (opened, settings) => {
        const url = await resolveAddress(address, settings);
        const { secret, ...stored } = requireSecrets(settings).create(key, 1);
        await requireCompany(opened, company);
        const webhook = await opened.webhooks.add({ key, companyKey: company, url, ...stored });
        if (webhook !== undefined) return { webhook, secret };
        const detail = `The company ${company} has ${webhooksMax} webhooks already. Remove one with: webhooks remove`;
        throw new CommandFailure(detail, exitCodes.invalid);
      });
      if (json) {
        terminal.out.write(`${JSON.stringify({ ...toJson(webhook), secret }, null, 2)}\n`);
        return;
      }
      terminal.err.write(
        `Added the webhook ${key} to the company ${company}. Try it with: webhooks send-test ${key}\n`,
      );
      showSecret(context, secret);
    });
}

function createListCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('list')
    .summary('List the webhooks')
    .description('Lists the webhooks. Piped output is tab-separated, one webhook per line. Times are UTC.')
    .option('--company <key>', 'only webhooks of this company')
    .option('--json', 'print the webhooks as JSON');
  return addDatabaseOptions(command).action(async ({ company, json, ...rest }: JsonOption & { company?: string }) => {
    const found = await withDatabase(context, pickDatabase(rest), ({ webhooks }) => webhooks.list(company));
    if (json) terminal.out.write(`${JSON.stringify(found.map(toJson), null, 2)}\n`);
    else if (found.length === 0) terminal.err.write('There are no webhooks. Add one with: webhooks add\n');
    else terminal.out.write(formatWebhooks(found, terminal.out));
  });
}

function createSendTestCommand(context: CommandContext): Command {
  const command = new Command('send-test')
    .summary('Send a test message')
    .description('Sends a signed message of the type webhook.test to a webhook, also to a disabled one.');
  return addKey(command, context, async (opened, key, settings) => {
    const webhook = await requireWebhook(opened, key, await opened.webhooks.find(key));
    const keys = requireSecrets(settings).signingKeys(webhook, context.clock());
    if (keys === undefined) throw new CommandFailure(`Nothing was sent: ${secretDiffers}.`, exitCodes.invalid);
    const message = createTestMessage(webhook, context.clock());
    const post = createPostMessage({ rules: rulesOf(settings), timeoutMs: attemptMs });
    const headers = signMessage(message, keys, context.clock());
    const outcome = await post({ url: webhook.url, headers, body: message.body });
    const text = outcome.kind === 'aborted' ? outcome.kind : describeOutcome(outcome);
    if (!isAccepted(outcome)) {
      throw new CommandFailure(`The receiver did not accept the test message: ${text}.`, exitCodes.failed);
    }
    return { webhook, text: `The receiver accepted the test message: ${text}.\n` };
  });
}

function createRotateCommand(context: CommandContext): Command {
  const command = new Command('rotate')
    .summary('Replace the signing secret')
    .description('Replaces the signing secret and prints the new one once. For 24 hours both secrets sign.');
  return addKey(command, context, async (opened, key, settings) => {
    const known = await requireWebhook(opened, key, await opened.webhooks.find(key));
    const { secret, ...stored } = requireSecrets(settings).create(key, known.secretVersion + 1);
    const webhook = await opened.webhooks.rotate(key, stored, context.clock());
    if (webhook !== undefined) return { webhook, secret, text: `Replaced the secret of ${key}.\n` };
    throw new CommandFailure('Another command has changed the secret. List the webhooks and repeat.', exitCodes.failed);
  });
}

function createSwitch(context: CommandContext, name: 'disable' | 'enable'): Command {
  const isDisabled = name === 'disable';
  const command = isDisabled
    ? new Command(name).summary('Disable a webhook').description('Disables a webhook. It keeps its position.')
    : new Command(name)
        .summary('Enable a webhook again')
        .description('Enables a disabled webhook. It gets all changes since it was disabled.');
  return addKey(command, context, async (opened, key) => {
    const webhook = await requireWebhook(opened, key, await opened.webhooks.setDisabled(key, isDisabled));
    return { webhook, text: `${isDisabled ? 'Disabled' : 'Enabled'} ${key}.\n` };
  });
}

function createResetCommand(context: CommandContext): Command {
  const command = new Command('reset')
    .summary('Let the receiver read everyone again')
    .description(
      'Lets the receiver read everyone again, as it has to after a restore: the next message has the type staff.reset. A disabled webhook sends it when it is enabled.',
    );
  return addKey(command, context, async (opened, key) => {
    const webhook = await requireWebhook(opened, key, await opened.webhooks.reset(key));
    return { webhook, text: `Reset ${key}.\n` };
  });
}

function createRemoveCommand(context: CommandContext): Command {
  const command = new Command('remove').summary('Remove a webhook').description('Removes a webhook and its position.');
  return addKey(command, context, async (opened, key) => {
    const webhook = await requireWebhook(opened, key, await opened.webhooks.find(key));
    await opened.webhooks.remove(key);
    return { webhook, text: `Removed ${key}.\n` };
  });
}

interface Done {
  readonly webhook: Webhook;
  /** A new secret, to be shown once. */
  readonly secret?: string;
  readonly text: string;
}

/** Adds the key of a webhook and the common options to a command, and what it does. */
function addKey(
  command: Command,
  context: CommandContext,
  work: (opened: OpenStore, key: string, settings: Settings) => Promise<Done>,
): Command {
  const { terminal } = context;
  command.argument('<webhook>', 'key of the webhook, such as wh_x3Jq').option('--json', 'print the webhook as JSON');
  return addDatabaseOptions(command).action(async (key: string, { json, ...rest }: JsonOption) => {
    const { webhook, secret, text } = await withDatabase(context, pickDatabase(rest), (opened, settings) =>
      work(opened, key, settings),
    );
    if (json) {
      terminal.out.write(`${JSON.stringify({ ...toJson(webhook), ...(secret && { secret }) }, null, 2)}\n`);
      return;
    }
    if (secret === undefined) {
      terminal.out.write(text);
      return;
    }
    terminal.err.write(text);
    showSecret(context, secret);
  });
}

/** Prints a signing secret: one line on stdout. */
function showSecret({ terminal: { out, err } }: CommandContext, secret: string): void {
  if (out.isTerminal) err.write('Store the secret now. It is shown only once.\n');
  out.write(`${secret}\n`);
}

function requireSecrets({ webhook_secret: secret }: Settings): WebhookSecrets {
  if (secret !== undefined) return createWebhookSecrets(secret);
  const detail =
    'webhook_secret is not set. Set ROSTERGATE_SCHEDULING_WEBHOOK_SECRET to the same value here and for each server.';
  throw new CommandFailure(detail, exitCodes.invalid);
}

const rulesOf = (settings: Settings) => createReceiverRules(settings.webhook_private_receivers);

async function resolveAddress(text: string, settings: Settings): Promise<string> {
  try {
    const signal = AbortSignal.timeout(attemptMs);
    return (await resolveReceiver(text, { rules: rulesOf(settings), signal })).url.href;
  } catch (error) {
    if (!(error instanceof ReceiverError)) throw error;
    throw new CommandFailure(error.message, exitCodes.invalid);
  }
}

async function requireWebhook({ webhooks }: OpenStore, key: string, found: Webhook | undefined): Promise<Webhook> {
  if (found !== undefined) return found;
  const known = (await webhooks.list()).map((webhook) => webhook.key);
  const guess = didYouMean(key, known) || ' List the webhooks with: webhooks list';
  throw new CommandFailure(`There is no webhook ${key}.${guess}`, exitCodes.invalid);
}
