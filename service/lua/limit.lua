-- Count a request against the limits of one subject, if all of them admit it: at most so many in any span so long.
--
-- KEYS  for each limit a list: when the requests of its last span were admitted, in milliseconds, oldest first
-- ARGV  for each limit how many requests and in how many milliseconds; then the time, which only tests tell
--
-- Answers how many milliseconds to wait (0: the request is counted), and how many more would be admitted now.
--
-- Counts live in memory: they go to no file and no replica, or every question for news would wait for the disk. Only the
-- end of a key is written there, by Redis itself; so a key outlives a move or two.

redis.set_repl(redis.REPL_NONE)
local SHORTEST = 60000

local time = redis.call('TIME')
local told = tonumber(ARGV[2 * #KEYS + 1])
local now = told or time[1] * 1000 + math.floor(time[2] / 1000)
local wait, left = 0, math.huge

for i, key in ipairs(KEYS) do
  local most, span = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local last = redis.call('LINDEX', key, -1)
  if last and tonumber(last) > now + span then redis.call('DEL', key) end -- the clock was set back
  local first = redis.call('LINDEX', key, 0)
  while first and tonumber(first) <= now - span do
    redis.call('LPOP', key)
    first = redis.call('LINDEX', key, 0)
  end
  local used = redis.call('LLEN', key)
  left = math.min(left, most - used)
  if used >= most then wait = math.max(wait, redis.call('LINDEX', key, used - most) + span - now) end
end
if wait > 0 then return {wait, 0} end

for i, key in ipairs(KEYS) do
  redis.call('RPUSH', key, now)
  if not told then redis.call('PEXPIRE', key, math.max(ARGV[2 * i], SHORTEST)) end
end
return {0, left - 1}
