import { EventEmitter } from 'node:events';

export interface HeldSignals {
  /** Gives the signals to stop, from the release on, those that came before included. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** Resolves when a signal to stop comes. */
  readonly stopped: Promise<undefined>;
  release(reload: () => void): void;
  end(): void;
}

/** Takes signals from the first moment on: one that comes while the server starts is neither lost nor deadly. */
export function holdSignals(from: Pick<EventEmitter, 'on' | 'off'>): HeldSignals {
  const signals = new EventEmitter();
  const early: string[] = [];
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  let reload: (() => void) | undefined;
  let isReloadWanted = false;
  const onStop = (name: string) => {
    stop(undefined);
    if (reload === undefined) early.push(name);
    else signals.emit(name, name);
  };
  const onHangUp = () => {
    if (reload === undefined) isReloadWanted = true;
    else reload();
  };
  const stopNames = ['SIGTERM', 'SIGINT'];
  for (const name of stopNames) from.on(name, onStop);
  from.on('SIGHUP', onHangUp);
  return {
    signals,
    stopped,
    release(how) {
      reload = how;
      for (const name of early) signals.emit(name, name);
      if (isReloadWanted) reload();
    },
    end() {
      for (const name of stopNames) from.off(name, onStop);
      from.off('SIGHUP', onHangUp);
    },
  };
}
