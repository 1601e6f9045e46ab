import { askOnce } from './ask-once.ts';

/** What a server holds, by its own metrics. */
export interface Holdings {
  readonly files: number;
  /** Timers, sockets and other resources that Node counts. */
  readonly resources: number;
  readonly heapBytes: number;
}

export async function heldBy(url: string): Promise<Holdings> {
  const { text } = await askOnce(`${url}/metrics`, { headers: { Accept: 'text/plain' } });
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    files: figure('process_open_fds'),
    resources: figure('nodejs_active_resources_total'),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
  };
}
