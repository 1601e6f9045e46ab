import { setTimeout as wait } from 'node:timers/promises';
import { keepSending } from './load.ts';
import type { SteadyLoad } from './send-steadily.ts';

// Run as a program, so that it can have a core that the server has not.
const { url, paths, headers, connections, perSecond, seconds } = JSON.parse(String(process.argv[2])) as SteadyLoad;
const path = (n: number) => paths[n % paths.length] as string;
const load = keepSending({ url, path, headers, connections }, perSecond);
await wait(seconds * 1_000);
process.stdout.write(JSON.stringify(await load.stop()));
