-- Note that a table is in use: from its first use on it lives as long as any other. Only the first one is noted.
--
-- KEYS  log, idem (in which no request's key has a blank)
-- ARGV  the seconds that the log lives
--
-- Answers when that was, in seconds; nothing, if the log has ended. A server without memory still lets it live on.

local known = redis.call('HGET', KEYS[2], 'in use')
if known then return tonumber(known) end
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local now = redis.call('TIME')[1]
redis.call('EXPIRE', KEYS[1], ARGV[1], 'GT')
redis.call('EXPIRE', KEYS[2], ARGV[1], 'GT')
redis.pcall('HSET', KEYS[2], 'in use', now)
return tonumber(now)
