-- Append payloads to a table's log: all of them, or none.
--
-- KEYS  log (a stream), idem (a hash: which request wrote which entries), mark (that there is or was such a table)
-- ARGV  the version that the writer saw, the request's key, its fingerprint,
--       the seconds that the log lives, the seconds that the mark lives, the seconds that a log lives which nobody has
--       used since it was opened, of how many per cent of its memory the server opens no other log, the payloads
--
-- The request's key is looked up before the version: a late repetition of a request that was carried out is a replay,
-- not a conflict. A replay writes too (EXPIRE), so that waiting for the replicas after it means something.
--
-- All that opens a log is one append. The second one is its first use, unless a key was used before it (use.lua).

local function live(seconds)
  redis.call('EXPIRE', KEYS[1], seconds)
  redis.call('EXPIRE', KEYS[2], seconds)
end

-- Whether the server has no room for another log. It has, if it may not say, or has no end.
local function full()
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) ~= 'string' then return false end
  local used, most = string.match(memory, 'used_memory:(%d+)'), string.match(memory, 'maxmemory:(%d+)')
  return used and most and tonumber(most) > 0 and used * 100 >= most * ARGV[7]
end

local last = redis.call('XLEN', KEYS[1]) -- the log is never trimmed
if last == 0 and redis.call('EXISTS', KEYS[3]) == 1 then return {'gone'} end

local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  local from, to, fingerprint = string.match(known, '^(%d+) (%d+) (.*)$')
  if fingerprint ~= ARGV[3] then return {'reused'} end
  local opened = from == '1' and tonumber(to) == last and not redis.call('HGET', KEYS[2], 'in use')
  live(opened and ARGV[6] or ARGV[4])
  return {'replayed', tonumber(from), tonumber(to)}
end

if last ~= tonumber(ARGV[1]) then
  if last == 0 then return {'missing'} end
  return {'conflict', last}
end
if last == 0 and full() then return {'full'} end

local version = last
for i = 8, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'm', ARGV[i]) -- refused by Redis itself if there is one of this number
end
redis.call('HSET', KEYS[2], ARGV[2], (last + 1) .. ' ' .. version .. ' ' .. ARGV[3])
live(last == 0 and ARGV[6] or ARGV[4])
redis.call('SET', KEYS[3], '', 'EX', ARGV[5])
return {'appended', last + 1, version}
