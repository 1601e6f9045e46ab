import { exactLimitMax } from './hit-store.ts';
import { createRedisScript } from './redis-connection.ts';

/** The function that returns when a day or month ends. */
export const periodEndLua = `-- The end of the day or month; months by the proleptic Gregorian calendar, whose years are counted from March here.
local function periodEnd(period, now)
  local days = math.floor(now / day)
  if period == 'day' then return (days + 1) * day end
  local shifted = days + 719468
  local era = math.floor(shifted / 146097)
  local ofEra = shifted - era * 146097
  local leapDays = math.floor(ofEra / 1460) - math.floor(ofEra / 36524) + math.floor(ofEra / 146096)
  local yearOfEra = math.floor((ofEra - leapDays) / 365)
  local ofYear = ofEra - (365 * yearOfEra + math.floor(yearOfEra / 4) - math.floor(yearOfEra / 100))
  local month = math.floor((5 * ofYear + 2) / 153)
  if month < 11 then return (days - ofYear + math.floor((153 * (month + 1) + 2) / 5)) * day end
  local year = yearOfEra + era * 400 + 1
  local isLeap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  return (days - ofYear + (isLeap and 366 or 365)) * day
end`;

/**
 * Decides hits inside Redis, one after another, by the clock of Redis. A rejected hit changes nothing, except that
 * expired hits are dropped.
 *
 * KEYS: the keys of all hits, one hit after another. ARGV: the default window in milliseconds, then for each hit the
 * number of its keys and the limit of each: `300`, or with its window `50000/86400000`, `1000/day` or `1000/month`.
 * Returns three integers for each key: admitted (1 or 0), hits used, milliseconds until the next is free.
 *
 * A key holds a list, oldest first, of the times of the hits in whole milliseconds. Hits of one bucket or period are one
 * entry `time:before:upTo`, with the number of hits before it and up to its end. The time of a hit in a period of the
 * calendar is the end of the period, where it leaves at once.
 */
export const hitScript = createRedisScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local day, bucketed = 86400000, ${exactLimitMax}

${periodEndLua}

local function readRun(entry)
  local at, before, upTo = string.match(entry, '^(%d+):(%d+):(%d+)$')
  return tonumber(at), tonumber(before), tonumber(upTo)
end

local function toRun(at, before, upTo) return string.format('%.0f:%.0f:%.0f', at, before, upTo) end

local function toRuns(key, bucket)
  local times, runs, before = redis.call('LRANGE', key, 0, -1), {}, 0
  for i = 1, #times do
    local at = math.ceil(tonumber(times[i]) / bucket) * bucket
    local following = times[i + 1] and math.ceil(tonumber(times[i + 1]) / bucket) * bucket
    if following ~= at then
      runs[#runs + 1] = toRun(at, before, i)
      before = i
    end
  end
  local left = redis.call('PTTL', key)
  redis.call('DEL', key)
  for _, run in ipairs(runs) do redis.call('RPUSH', key, run) end
  redis.call('PEXPIRE', key, left + bucket)
end

local default = tonumber(ARGV[1])

local function read(key, given)
  local limit, window, bucket, period = tonumber(given), default, 1, nil
  if not limit then
    local number, name = string.match(given, '^(%d+)/(%w+)$')
    limit, window = tonumber(number), tonumber(name) or 0
    if window == 0 then
      period = name
    elseif limit > bucketed then
      bucket = math.max(1, math.ceil(window / 1000))
    end
  end
  local state = { given = given, limit = limit, window = window, bucket = bucket, count = 0 }
  state.ends = period and periodEnd(period, now)
  local last = redis.call('LINDEX', key, -1)
  if not last then return state end
  local newest, before, upTo = tonumber(last), nil, nil
  if not newest then
    newest, before, upTo = readRun(last)
  elseif bucket > 1 then
    toRuns(key, bucket)
    newest, before, upTo = readRun(redis.call('LINDEX', key, -1))
  end
  -- While the clock is behind the newest hit, the time of that hit applies, for one window at most.
  local latest = now + window + (before and math.max(1, math.ceil(window / 1000)) or 1)
  if period then latest = state.ends + (period == 'day' and day or 31 * day) end
  if newest > latest then
    redis.call('DEL', key)
  elseif before then
    local oldest, start = readRun(redis.call('LINDEX', key, 0))
    while oldest and oldest + window <= now do
      redis.call('LPOP', key)
      local entry = redis.call('LINDEX', key, 0)
      oldest, start = nil, upTo
      if entry then oldest, start = readRun(entry) end
    end
    state.count = upTo - start
    if oldest then
      state.oldest, state.newest, state.start = oldest, newest, start
      state.before, state.upTo = before, upTo
    end
  else
    local count = redis.call('LLEN', key)
    local at = math.max(now, newest - 1)
    state.newest = newest
    state.oldest = tonumber(redis.call('LINDEX', key, 0))
    while count > 0 and state.oldest + window <= at do
      local times = redis.call('LRANGE', key, 0, 63)
      local gone = 0
      while gone < #times and tonumber(times[gone + 1]) + window <= at do gone = gone + 1 end
      redis.call('LTRIM', key, gone, -1)
      count = count - gone
      state.oldest = count > 0 and tonumber(times[gone + 1] or redis.call('LINDEX', key, 0))
    end
    state.count = count
  end
  return state
end

local function record(key, state)
  local bucket, window = state.bucket, state.window
  -- Rounded up: recorded too early, two hits could be admitted less than a window apart.
  local at = math.max(state.ends or math.ceil(now / bucket) * bucket, state.newest or 0)
  if state.upTo and at == state.newest then
    state.upTo = state.upTo + 1
    redis.call('LSET', key, -1, toRun(at, state.before, state.upTo))
  else
    local entry = string.format('%.0f', at)
    if state.ends or bucket > 1 or state.upTo then
      state.before = state.upTo or 0
      state.upTo = state.before + 1
      state.start = state.start or state.before
      entry = toRun(at, state.before, state.upTo)
    end
    redis.call('RPUSH', key, entry)
    redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(at + window - now)))
  end
  if state.count == 0 then state.oldest = at end
  state.newest = at
  state.count = state.count + 1
end

-- The milliseconds until a client whose limit is used up has one hit free.
local function untilFree(key, state)
  local limit, window, count = state.limit, state.window, state.count
  if state.ends then return state.ends - now end
  if limit == 0 then return window end
  local freed = state.oldest
  if count > limit and state.upTo then
    for _, entry in ipairs(redis.call('LRANGE', key, 0, -1)) do
      local at, _, upTo = readRun(entry)
      freed = at
      if upTo - state.start > count - limit then break end
    end
  elseif count > limit then
    freed = tonumber(redis.call('LINDEX', key, count - limit))
  end
  return freed + window - now
end

-- States that were read for earlier hits: in a burst, most hits of a batch have the same keys.
local known = {}
local reply, replies, first, argument = {}, 0, 1, 2
while first <= #KEYS do
  local size = tonumber(ARGV[argument])
  local states, admitted = {}, true
  for i = 1, size do
    local key, given = KEYS[first + i - 1], ARGV[argument + i]
    local state = known[key]
    if not state or state.given ~= given then
      state = read(key, given)
      known[key] = state
    end
    states[i] = state
    if state.count >= state.limit then admitted = false end
  end
  for i = 1, size do
    local key, state = KEYS[first + i - 1], states[i]
    local passes, reset = 1, 0
    if not admitted and state.count >= state.limit then
      passes, reset = 0, untilFree(key, state)
    else
      if admitted then record(key, state) end
      if state.count > 0 then reset = state.oldest + state.window - now end
    end
    reply[replies + 1] = passes
    reply[replies + 2] = state.count
    reply[replies + 3] = math.ceil(reset)
    replies = replies + 3
  end
  first = first + size
  argument = argument + size + 1
end
return reply`);
