import { createRedisScript } from './redis-connection.ts';

/**
 * Decides hits inside Redis, one after another, by Redis' own clock. A key holds the times of the hits that count, in
 * whole milliseconds, oldest first.
 *
 * KEYS: the keys of all hits, one after another. ARGV: the window in milliseconds, then of each hit how many keys it
 * has and the limit of each. Answers three integers a key: admitted (1 or 0), hits used, milliseconds until the next is
 * free. It changes nothing of a refused hit but to drop what has expired.
 */
export const hitScript = createRedisScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window = tonumber(ARGV[1])
local reply, replies, first, argument = {}, 0, 1, 2
while first <= #KEYS do
  local size = tonumber(ARGV[argument])
  local counts, oldest, newest, admitted = {}, {}, {}, true
  for i = 1, size do
    local key = KEYS[first + i - 1]
    local count = redis.call('LLEN', key)
    if count > 0 then
      local last = tonumber(redis.call('LINDEX', key, -1))
      -- Where the clock was set back, time stands still until it has caught up, but for one window at most.
      if last > now + window + 1 then
        redis.call('DEL', key)
        count = 0
      else
        local at = math.max(now, last - 1)
        newest[i] = last
        oldest[i] = tonumber(redis.call('LINDEX', key, 0))
        while count > 0 and oldest[i] + window <= at do
          local times = redis.call('LRANGE', key, 0, 63)
          local gone = 0
          while gone < #times and tonumber(times[gone + 1]) + window <= at do gone = gone + 1 end
          redis.call('LTRIM', key, gone, -1)
          count = count - gone
          oldest[i] = count > 0 and tonumber(times[gone + 1] or redis.call('LINDEX', key, 0))
        end
      end
    end
    counts[i] = count
    if count >= tonumber(ARGV[argument + i]) then admitted = false end
  end
  for i = 1, size do
    local key, limit, count = KEYS[first + i - 1], tonumber(ARGV[argument + i]), counts[i]
    local passes, reset = 1, 0
    if admitted then
      -- Rounded up: recorded too early, two hits could be admitted less than a window apart.
      local at = math.max(math.ceil(now), newest[i] or 0)
      redis.call('RPUSH', key, string.format('%.0f', at))
      redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(at + window - now)))
      if count == 0 then oldest[i] = at end
      count = count + 1
      reset = oldest[i] + window - now
    elseif count < limit then
      if count > 0 then reset = oldest[i] + window - now end
    else
      passes = 0
      reset = window
      if limit > 0 then
        local freed = count == limit and oldest[i] or tonumber(redis.call('LINDEX', key, count - limit))
        reset = freed + window - now
      end
    end
    reply[replies + 1] = passes
    reply[replies + 2] = count
    reply[replies + 3] = math.ceil(reset)
    replies = replies + 3
  end
  first = first + size
  argument = argument + size + 1
end
return reply`);
