-- Charge what a client has used, and count its request if all of its limits admit it.
--
-- KEYS  the allowances, each a hash with the time at which nothing of it is used any more; then the limits, each a
--       list: the times of the requests that it admitted in its last span, in milliseconds, oldest first
-- ARGV  the number of allowances; for each its size, the milliseconds in which a used one is free again, the amount
--       to charge now, and 1 if the script rejects the request when more than the size is used; for each limit the
--       most requests in any span, and the span in milliseconds; then the time, which only tests pass
--
-- Returns the milliseconds to wait (0: the request is counted), the number of requests that would be admitted now, and
-- the index of the KEYS with the longest wait (0: none). The script charges also for a rejected request: the amount
-- was used before.
--
-- Counts stay in memory and are not replicated; else every poll would wait for the disk. Redis itself writes the
-- expiry of a key to the disk; to expire seldom, a key lives for a minute at least (SHORTEST).

redis.set_repl(redis.REPL_NONE)
local SHORTEST = 60000

local allowances = tonumber(ARGV[1])
local first_limit = 2 + 4 * allowances
local told = tonumber(ARGV[first_limit + 2 * (#KEYS - allowances)])
local time = redis.call('TIME')
local now = told or time[1] * 1000 + math.floor(time[2] / 1000)
local wait, left, short = 0, math.huge, 0

for i = 1, allowances do
  local most, span = tonumber(ARGV[4 * i - 2]), tonumber(ARGV[4 * i - 1])
  local charged, bars = tonumber(ARGV[4 * i]), ARGV[4 * i + 1] == '1'
  local off = math.max(now, tonumber(redis.call('HGET', KEYS[i], 'off') or 0))
  off = math.min(off + charged * span / most, now + 2 * span) -- nobody waits longer, even if the clock was set back
  if charged > 0 then
    redis.call('HSET', KEYS[i], 'off', string.format('%.3f', off))
    redis.call('PEXPIRE', KEYS[i], math.max(2 * span, SHORTEST))
  end
  local missing = math.ceil(off - now - span)
  if bars and missing > wait then wait, short = missing, i end
end

for i = allowances + 1, #KEYS do
  local key, at = KEYS[i], first_limit + 2 * (i - allowances - 1)
  local most, span = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local last = redis.call('LINDEX', key, -1)
  if last and tonumber(last) > now + span then redis.call('DEL', key) end -- the clock was set back
  local first = redis.call('LINDEX', key, 0)
  while first and tonumber(first) <= now - span do
    redis.call('LPOP', key)
    first = redis.call('LINDEX', key, 0)
  end
  local used = redis.call('LLEN', key)
  left = math.min(left, most - used)
  local missing = used < most and 0 or redis.call('LINDEX', key, used - most) + span - now
  if missing > wait then wait, short = missing, i end
end
if wait > 0 then return {wait, 0, short} end

for i = allowances + 1, #KEYS do
  local span = ARGV[first_limit + 2 * (i - allowances - 1) + 1]
  redis.call('RPUSH', KEYS[i], now)
  if not told then redis.call('PEXPIRE', KEYS[i], math.max(span, SHORTEST)) end
end
return {0, left - 1, 0}
