import type { Benchmark } from './benchmark.ts';
import { measureGatewayForward } from './gateway/forward.ts';
import { measureLocal } from './gateway/local.ts';
import { measureLookup } from './gateway/lookup.ts';
import { measureMemory } from './gateway/memory.ts';
import { measureRedis } from './gateway/redis.ts';
import { measureReload } from './gateway/reload.ts';
import { measureStart } from './gateway/start.ts';
import { measureWorkers } from './gateway/workers.ts';
import { measureHostile, measureODataFilter } from './odata.ts';
import { measureAddedTime } from './proxy/added-time.ts';
import { measureForward } from './proxy/forward.ts';
import { measureFilter } from './scheduling/filter.ts';
import { measureList, measureListFromPostgres } from './scheduling/list.ts';
import { measureSingle } from './scheduling/single.ts';

/** All benchmarks, by group and name. */
export const groups: Readonly<Record<string, Readonly<Record<string, Benchmark>>>> = {
  gateway: {
    local: measureLocal,
    lookup: measureLookup,
    forward: measureGatewayForward,
    workers: measureWorkers,
    redis: measureRedis,
    reload: measureReload,
    start: measureStart,
    memory: measureMemory,
  },
  odata: { filter: measureODataFilter, hostile: measureHostile },
  proxy: { forward: measureForward, 'added-time': measureAddedTime },
  scheduling: {
    list: measureList,
    'list-postgres': measureListFromPostgres,
    single: measureSingle,
    filter: measureFilter,
  },
};
