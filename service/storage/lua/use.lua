-- Record the first use of a table. Until then, its log has a shorter lifetime.
--
-- KEYS  log, idem (no request's key contains the blank of 'in use')
-- ARGV  the lifetime of the log in seconds
--
-- Returns the time of the first use in seconds; nothing if the log has expired. If Redis has no memory left to record
-- the use, the log gets its longer lifetime all the same.

local known = redis.call('HGET', KEYS[2], 'in use')
if known then return tonumber(known) end
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local now = redis.call('TIME')[1]
redis.call('EXPIRE', KEYS[1], ARGV[1], 'GT')
redis.call('EXPIRE', KEYS[2], ARGV[1], 'GT')
redis.pcall('HSET', KEYS[2], 'in use', now)
return tonumber(now)
