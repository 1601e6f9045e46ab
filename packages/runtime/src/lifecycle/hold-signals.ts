import { EventEmitter } from 'node:events';

export interface HeldSignals {
  /** Gives the signals to stop, from the release on, those that came before included. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Resolves when a signal to stop comes. */
  readonly stopped: Promise<undefined>;
  /** `reload` is called for SIGHUP. */
  release(reload?: () => void): void;
  /** As if a signal to stop had come, for this reason. */
  stop(reason: string): void;
  end(): void;
}

/** What asks a server to stop. */
export const stopSignals = ['SIGTERM', 'SIGINT'] as const;

export interface HoldSignalsOptions {
  /** Whether SIGHUP asks for a reload; otherwise it ends the process as it does any other, with its terminal. */
  readonly isReloading?: boolean;
}

/** Takes signals from the first moment on: one that comes while the server starts is neither lost nor deadly. */
export function holdSignals(
  from: Pick<EventEmitter, 'on' | 'off'>,
  { isReloading = true }: HoldSignalsOptions = {},
): HeldSignals {
  const signals = new EventEmitter();
  const early: (readonly [name: string, reason: string])[] = [];
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  let reload: (() => void) | undefined;
  let isReloadWanted = false;
  const take = (name: string, reason = name) => {
    stop(undefined);
    if (reload === undefined) early.push([name, reason]);
    else signals.emit(name, reason);
  };
  const onStop = (name: string) => take(name);
  const onHangUp = () => {
    if (reload === undefined) isReloadWanted = true;
    else reload();
  };
  for (const name of stopSignals) from.on(name, onStop);
  if (isReloading) from.on('SIGHUP', onHangUp);
  return {
    signals,
    stopped,
    release(how = () => undefined) {
      reload = how;
      for (const [name, reason] of early) signals.emit(name, reason);
      if (isReloadWanted) reload();
    },
    stop: (reason) => take('SIGTERM', reason),
    end() {
      for (const name of stopSignals) from.off(name, onStop);
      from.off('SIGHUP', onHangUp);
    },
  };
}
