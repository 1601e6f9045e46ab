import { setTimeout as wait } from 'node:timers/promises';
import { keepSending, type SteadyLoad } from './load.ts';

// A program, so that it can run on another core than the server.
const { url, paths, headers, connections, perSecond, seconds } = JSON.parse(String(process.argv[2])) as SteadyLoad;
const path = (n: number) => paths[n % paths.length] as string;
const load = keepSending({ url, path, headers, connections }, perSecond);
await wait(seconds * 1_000);
process.stdout.write(JSON.stringify(await load.stop()));
