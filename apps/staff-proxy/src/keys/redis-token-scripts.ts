import { createRedisScript, type RedisScript } from '@rostergate/runtime/limits';

/**
 * KEYS: the token, the list of its key's tokens, oldest first, and the set of keys with tokens. ARGV: the token's lifetime
 * in milliseconds, its value, how many tokens a key may have, the digest of its key. Redis deletes a token after twice its lifetime, and so needs no clock but its own.
 */
export const saveScript: RedisScript = createRedisScript(`local keep = 2 * tonumber(ARGV[1])
redis.call('SET', KEYS[1], ARGV[2], 'PX', string.format('%.0f', keep))
redis.call('RPUSH', KEYS[2], KEYS[1])
while redis.call('LLEN', KEYS[2]) > tonumber(ARGV[3]) do redis.call('DEL', redis.call('LPOP', KEYS[2])) end
redis.call('SADD', KEYS[3], ARGV[4])
for i = 2, 3 do
  if redis.call('PTTL', KEYS[i]) < keep then redis.call('PEXPIRE', KEYS[i], string.format('%.0f', keep)) end
end`);

/** KEYS: the token. Replies with its value, and the milliseconds until Redis deletes it. */
export const findScript: RedisScript = createRedisScript(
  `return { redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]) }`,
);

/**
 * KEYS: the set of keys with tokens. ARGV: `delete` to delete the tokens of all keys that are not named, what the names of
 * lists begin with, then by pairs the digest of a key and the milliseconds after which its tokens end, -1 for no change.
 */
export const shortenScript: RedisScript = createRedisScript(`local left = {}
for i = 3, #ARGV, 2 do left[ARGV[i]] = tonumber(ARGV[i + 1]) end
for _, key in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local list, ms = ARGV[2] .. key, left[key] or (ARGV[1] == 'delete' and 0 or -1)
  local tokens = ms < 0 and {} or redis.call('LRANGE', list, 0, -1)
  for _, token in ipairs(tokens) do
    local value = ms > 0 and redis.call('GET', token)
    if ms == 0 then
      redis.call('DEL', token)
    elseif value then
      local keep = ms + tonumber(string.match(value, '^%d+'))
      if redis.call('PTTL', token) > keep then redis.call('PEXPIRE', token, string.format('%.0f', keep)) end
    end
  end
  if ms == 0 then
    redis.call('DEL', list)
    redis.call('SREM', KEYS[1], key)
  end
end`);

export const pingScript: RedisScript = createRedisScript(`return redis.call('PING')`);
