-- Charge what one subject has used, and count its request, if all of its limits admit it.
--
-- KEYS  the allowances, each a hash with the time at which all that was charged has worn off; then the limits, each a
--       list: when the requests of its last span were admitted, in milliseconds, oldest first
-- ARGV  how many allowances; for each how much there is of it, in how many milliseconds that wears off, what is charged
--       now, and 1 if the request is refused where more is used than there is; for each limit how many requests (at
--       most so many in any span so long) and in how many milliseconds; then the time, which only tests tell
--
-- Answers how many milliseconds to wait (0: the request is counted), how many more would be admitted now, and for which
-- of the KEYS the longest wait is (0: none). What is charged was used already: it counts whatever the answer.
--
-- Counts live in memory: they go to no file and no replica, or every question for news would wait for the disk. Only the
-- end of a key is written there, by Redis itself; so a key outlives a move or two.

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
  off = math.min(off + charged * span / most, now + 2 * span) -- nobody waits longer, if the clock was set back, too
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
