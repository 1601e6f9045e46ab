import { randomBytes } from 'node:crypto';
import { createFileKeyStore, type KeyStore, type KeyStoreSettings, openKeyStore } from '@rostergate/access/key-store';
import type { Limiter } from '@rostergate/access/limits';
import { createAssetReader, replyTagged } from '@rostergate/pages';
import type { Context, OpenApiDocument, Principal, RawReply, ReplyHeaders } from '@rostergate/server';
import { Problem } from '@rostergate/server/problem';
import { describeCause, type Telemetry } from '@rostergate/server/telemetry';
import { readKeysFile } from '../sources/read-keys.ts';
import type { Configuration } from '../sources/read-sources.ts';
import type { Usage } from '../usage/usage.ts';
import { usageRowsMax } from '../usage/usage-range.ts';
import { createDeveloperSignIn, type Developer, type PendingSignIn, startAgain } from './developer-sign-in.ts';
import { findFirstCall } from './first-call.ts';
import type { PortalLimits } from './limits-block.ts';
import { type CreatedKey, createOwnedKeys, type OwnedKeys, ownPlan } from './owned-keys.ts';
import type { PortalHandlers } from './portal-operations.ts';
import { createPortalPages, portalAssets } from './portal-pages.ts';
import { createSealedCookie } from './sealed-cookie.ts';
import { type PortalUsage, usageHours } from './usage-chart.ts';

export interface PortalOptions extends Pick<Configuration, 'settings' | 'endpoints' | 'keysPath' | 'usage'> {
  readonly document: OpenApiDocument;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly steadyClock: () => number;
  readonly telemetry: Pick<Telemetry, 'log'>;
  readonly usageReader: Pick<Usage, 'read'>;
  /** The store that this gateway follows; the keys file without a URL. */
  readonly keyStore: KeyStoreSettings;
  /** Undefined when there are no limits. */
  readonly limiter: Pick<Limiter<Principal>, 'usesOf'> | undefined;
}

export interface Portal {
  readonly handlers: PortalHandlers;
  close(): Promise<void>;
}

const sessionSeconds = 8 * 3600;
const signInSeconds = 600;
const hourMs = 3_600_000;

const readAsset = createAssetReader(portalAssets);

type Request = Context['req'];

/** Returns the portal of a configuration with `portal`. Sessions are cookies alone, so every gateway knows them. */
export function createPortal(options: PortalOptions): Portal {
  const { settings, document, endpoints, clock, steadyClock, telemetry, usageReader } = options;
  const { portal, jwt_issuers: issuers, portal_client_secret: secret } = settings;
  const issuer = issuers.find(({ name }) => name === portal?.issuer);
  if (portal === undefined || issuer === undefined) throw new Error('The settings have no portal.');
  const cookie = { secret, clock, purpose: JSON.stringify([issuer.issuer, portal.client_id, portal.base_url]) };
  const sessions = createSealedCookie<{ owner: string; name: string }>({
    ...{ ...cookie, name: 'portal', seconds: sessionSeconds },
  });
  const signIns = createSealedCookie<{ -readonly [F in keyof PendingSignIn]: string }>({
    ...{ ...cookie, name: 'portal-sign-in', seconds: signInSeconds },
  });
  const warn = (error: unknown, text: string) => telemetry.log.warn({ err: describeCause(error) }, text);
  const signIn = createDeveloperSignIn({
    ...{ portal, issuer, secret, steadyClock },
    onFailure: (error) => warn(error, 'the issuer of the portal failed'),
  });
  const pages = createPortalPages({
    settings,
    portal,
    document,
    firstCall: findFirstCall(document, endpoints, portal),
  });
  let opened: Promise<KeyStore> | undefined;

  const plans = Object.keys(settings.plans);

  function openStore(): Promise<KeyStore> {
    const check = (text: string, place: string) => void readKeysFile(text, place, plans);
    opened ??=
      options.keyStore.key_store_url === ''
        ? Promise.resolve(createFileKeyStore({ path: options.keysPath, check }))
        : openKeyStore(options.keyStore, check);
    return opened;
  }

  async function developerOf(req: Request): Promise<Developer> {
    const developer = await sessions.open(req.headers.cookie);
    if (developer === undefined) throw new Problem('operation_forbidden', 'You are not signed in. Sign in first.');
    return developer;
  }

  /** Uses the keys of a developer. @throws Problem `unavailable` when they cannot be read or written */
  async function useKeys<T>({ owner }: Developer, use: (keys: OwnedKeys) => Promise<T>): Promise<T> {
    try {
      const store = await openStore();
      return await use(
        createOwnedKeys({ store, owner, bounds: portal as typeof portal & {}, plans, clock, random: randomBytes }),
      );
    } catch (error) {
      if (error instanceof Problem) throw error;
      warn(error, 'the portal cannot use the key store');
      throw new Problem('unavailable', 'Keys cannot be read or changed now. Try again in a minute.', {
        headers: { 'Retry-After': '60' },
        cause: error,
      });
    }
  }

  /** Rejects requests of pages of other origins: all of their writes, and reads by their scripts. */
  function requireOwnPage({ method, headers }: Request): void {
    const { origin, 'sec-fetch-site': site } = headers;
    const isOwn = origin === portal?.base_url && (site === undefined || site === 'same-origin');
    if (method === 'POST' ? isOwn : origin === undefined || isOwn) return;
    throw new Problem('origin_forbidden', `The portal accepts requests of its own pages only, at ${portal?.base_url}.`);
  }

  /** Returns a handler whose problems are pages for browsers. */
  const onPage =
    <R>(handle: (request: R, req: Request) => Promise<RawReply>, headers?: ReplyHeaders) =>
    async (request: R, { req }: Pick<Context, 'req'>): Promise<RawReply> => {
      try {
        requireOwnPage(req);
        return await handle(request, req);
      } catch (error) {
        if (!(error instanceof Problem) || !acceptsHtml(req)) throw error;
        return pages.fault(error, headers);
      }
    };

  /** Returns the requests of the last hours. */
  async function usageOf({ owner }: Developer, nowMs: number): Promise<PortalUsage> {
    if (options.usage === undefined) return { state: 'off' };
    const toHour = Math.floor(nowMs / hourMs) + 1;
    const range = { fromHour: toHour - usageHours, toHour, intervalHours: 1 } as const;
    try {
      const rows = await usageReader.read({ owner, ...range, by: ['key', 'status'], rowsMax: usageRowsMax });
      return { state: 'read', rows, toHour, flushSeconds: options.usage.flushSeconds };
    } catch (error) {
      warn(error, 'the portal cannot read the usage');
      return { state: 'unavailable' };
    }
  }

  /** Returns what the developer has used of each limit. */
  async function limitsOf({ owner }: Developer, plan: string | undefined): Promise<PortalLimits> {
    if (options.limiter === undefined) return { state: 'off' };
    try {
      const uses = await options.limiter.usesOf(plan === undefined ? { owner } : { owner, plan });
      return uses === undefined ? { state: 'unavailable' } : { state: 'read', ...uses };
    } catch (error) {
      warn(error, 'the portal cannot read the counts of the limits');
      return { state: 'unavailable' };
    }
  }

  async function home(developer: Developer, created?: CreatedKey): Promise<RawReply> {
    const nowMs = clock();
    const keys = await useKeys(developer, (own) => own.list());
    // The first key will have the only plan.
    const current = ownPlan(keys, plans);
    const ofKeys = current ?? (keys.length === 0 && portal?.plans.length === 1 ? portal.plans[0] : undefined);
    const planName = ofKeys ?? settings.default_plan;
    const plan = Object.hasOwn(settings.plans, planName) ? settings.plans[planName] : undefined;
    const [usage, limits] = await Promise.all([usageOf(developer, nowMs), limitsOf(developer, ofKeys)]);
    const hasPlan = current !== undefined;
    return pages.home({ developer, nowMs, usage, limits, keys, hasPlan, planName, plan, created });
  }

  const handlers: PortalHandlers = {
    getPortal: onPage(async (_, req) => {
      const developer = await sessions.open(req.headers.cookie);
      return developer === undefined ? pages.welcome() : home(developer);
    }),
    async getPortalAsset({ path }, { req }) {
      const asset = readAsset(path.asset);
      if (asset === undefined) throw new Problem('not_found', 'The portal has no asset with this name.');
      return replyTagged(await asset, req);
    },
    beginPortalSignIn: onPage(async () => {
      const { url, pending } = await signIn.begin();
      return redirect(url, [await signIns.seal({ ...pending })]);
    }),
    completePortalSignIn: onPage(
      async (_, req) => {
        const pending = await signIns.open(req.headers.cookie);
        if (pending === undefined) throw startAgain();
        const { owner, name } = await signIn.complete(new URL(req.originalUrl, portal.base_url).search, pending);
        telemetry.log.info({ owner }, 'a developer has signed in to the portal');
        return redirect('/portal', [await sessions.seal({ owner, name }), signIns.removal]);
      },
      // Each sign-in is tried once.
      { 'Set-Cookie': [signIns.removal] },
    ),
    endPortalSession: onPage(async () => redirect('/portal', [sessions.removal])),
    createPortalKey: onPage(async ({ body }: RequestOf<'createPortalKey'>, req) => {
      const developer = await developerOf(req);
      const asked = { ...body, plan: body.plan === '' ? undefined : body.plan };
      const created = await useKeys(developer, (keys) => keys.create(asked));
      return home(developer, created);
    }),
    rotatePortalKey: onPage(async ({ path, body }: RequestOf<'rotatePortalKey'>, req) => {
      const developer = await developerOf(req);
      const overlapMs = (body.overlap_hours ?? 24) * hourMs;
      const created = await useKeys(developer, (keys) => keys.rotate(path.key, overlapMs));
      return home(developer, created);
    }),
    revokePortalKey: onPage(async ({ path }: RequestOf<'revokePortalKey'>, req) => {
      const developer = await developerOf(req);
      await useKeys(developer, (keys) => keys.revoke(path.key));
      return redirect('/portal');
    }),
  };
  return { handlers, close: async () => (await opened)?.close() };
}

function acceptsHtml({ headers }: Request): boolean {
  return headers.accept?.includes('text/html') === true;
}

type RequestOf<Name extends keyof PortalHandlers> = Parameters<PortalHandlers[Name]>[0];

function redirect(location: string, cookies: readonly string[] = []): RawReply {
  const headers = { Location: location, ...(cookies.length === 0 ? {} : { 'Set-Cookie': cookies }) };
  return { status: 303, raw: '', contentType: undefined, headers };
}
