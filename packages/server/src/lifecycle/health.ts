/** The state of a dependency of the server, with details for operators. */
export interface DependencyStatus {
  /** `degraded` impairs the server; `unavailable` stops it from serving. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly [detail: string]: unknown;
}

export interface HealthOptions {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly startedMs: number;
  /** One that returns undefined is left out. */
  readonly dependencies: Readonly<
    Record<string, () => DependencyStatus | undefined | Promise<DependencyStatus | undefined>>
  >;
  /** How long the check of a dependency may take before it counts as unavailable. */
  readonly dependencyTimeoutMs?: number;
}

interface Report<S> {
  readonly status: 200;
  readonly body: { readonly status: S; readonly timestamp: string; readonly version: string };
}

export interface ReadinessBody {
  readonly status: DependencyStatus['status'];
  readonly timestamp: string;
  readonly version: string;
  readonly uptime_seconds: number;
  readonly dependencies: Record<string, DependencyStatus>;
}

export type ReadinessReply =
  | { readonly status: 200; readonly body: ReadinessBody }
  | { readonly status: 503; readonly body: ReadinessBody };

export interface HealthHandlers {
  getHealth(): Report<'healthy'>;
  /** Depends on nothing outside the process. */
  getLiveness(): Report<'alive'>;
  /** Returns 503 and the failing dependency when the server cannot serve. */
  getReadiness(): Promise<ReadinessReply>;
  /** Makes readiness unavailable, because the server is about to stop. */
  beginDrain(): void;
}

/** Returns the handlers of /health, /health/live and /health/ready. */
export function createHealthHandlers(options: HealthOptions): HealthHandlers {
  const { version, clock, startedMs, dependencies, dependencyTimeoutMs = 1_500 } = options;
  let isDraining = false;
  const report = <S>(status: S): Report<S> => ({ status: 200, body: { status, timestamp: isoTime(clock()), version } });

  return {
    getHealth: () => report('healthy'),
    getLiveness: () => report('alive'),
    async getReadiness() {
      const checked = await Promise.all(
        Object.entries(dependencies).map(
          async ([name, check]) => [name, await run(check, dependencyTimeoutMs)] as const,
        ),
      );
      const found = checked.filter((one): one is [string, DependencyStatus] => one[1] !== undefined);
      if (isDraining) found.push(['shutdown', { status: 'unavailable', reason: 'The server is shutting down.' }]);
      const status = worstOf(found.map(([, dependency]) => dependency.status));
      const nowMs = clock();
      return {
        status: status === 'unavailable' ? 503 : 200,
        body: {
          status,
          timestamp: isoTime(nowMs),
          version,
          uptime_seconds: Math.max(0, Math.round(nowMs - startedMs)) / 1000,
          dependencies: Object.fromEntries(found),
        },
      };
    },
    beginDrain() {
      isDraining = true;
    },
  };
}

/** Runs a check. One that throws or hangs counts as unavailable, without its error, which may hold secrets. */
async function run(
  check: HealthOptions['dependencies'][string],
  timeoutMs: number,
): Promise<DependencyStatus | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DependencyStatus>((resolve) => {
    timer = setTimeout(
      () => resolve({ status: 'unavailable', reason: `No response within ${timeoutMs} ms.` }),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return { status: 'unavailable', reason: 'The check failed; see the log.' };
  } finally {
    clearTimeout(timer);
  }
}

function worstOf(statuses: readonly DependencyStatus['status'][]): DependencyStatus['status'] {
  if (statuses.includes('unavailable')) return 'unavailable';
  return statuses.includes('degraded') ? 'degraded' : 'ready';
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
