import { EventEmitter } from 'node:events';

export interface HeldSignals {
  /** Emits the signals to stop after the release, earlier ones included. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Resolves when a signal to stop arrives. */
  readonly stopped: Promise<undefined>;
  /** Emits held signals, and calls `reload` for each SIGHUP. */
  release(reload?: () => void): void;
  /** Acts as if a signal to stop had arrived, for this reason. */
  stop(reason: string): void;
  /** Stops listening for signals. */
  end(): void;
}

/** The signals that stop a server. */
export const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export interface HoldSignalsOptions {
  /** Whether SIGHUP reloads. By default it does; otherwise it ends the process, as it does when a terminal closes. */
  readonly isReloading?: boolean;
}

/** Holds the signals that arrive while the server starts, so that they are neither lost nor end the process. */
export function holdSignals(
  from: Pick<EventEmitter, 'on' | 'off'>,
  { isReloading = true }: HoldSignalsOptions = {},
): HeldSignals {
  const signals = new EventEmitter();
  const early: (readonly [name: string, reason: string])[] = [];
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  let reload: (() => void) | undefined;
  let isReloadHeld = false;
  const take = (name: string, reason = name) => {
    stop(undefined);
    if (reload === undefined) early.push([name, reason]);
    else signals.emit(name, reason);
  };
  const onStop = (name: string) => take(name);
  const onHangUp = () => {
    if (reload === undefined) isReloadHeld = true;
    else reload();
  };
  for (const name of stopSignals) from.on(name, onStop);
  if (isReloading) from.on('SIGHUP', onHangUp);
  return {
    signals,
    stopped,
    release(onReload = () => undefined) {
      reload = onReload;
      for (const [name, reason] of early) signals.emit(name, reason);
      if (isReloadHeld) reload();
    },
    stop: (reason) => take('SIGTERM', reason),
    end() {
      for (const name of stopSignals) from.off(name, onStop);
      from.off('SIGHUP', onHangUp);
    },
  };
}
