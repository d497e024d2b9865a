-- Append payloads to a table's log: all of them, or none.
--
-- KEYS  log (a stream), idem (a hash: which request wrote which entries), mark (that there is or was such a table)
-- ARGV  the version that the writer saw, the request's key, its fingerprint,
--       the seconds that the log lives, the seconds that the mark lives, the payloads
--
-- The request's key is looked up before the version: a late repetition of a request that was carried out is a replay,
-- not a conflict. A replay writes too (EXPIRE), so that waiting for the replicas after it means something.

local last = redis.call('XLEN', KEYS[1]) -- the log is never trimmed
if last == 0 and redis.call('EXISTS', KEYS[3]) == 1 then return {'gone'} end

local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  local from, to, fingerprint = string.match(known, '^(%d+) (%d+) (.*)$')
  if fingerprint ~= ARGV[3] then return {'reused'} end
  redis.call('EXPIRE', KEYS[1], ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[4])
  return {'replayed', tonumber(from), tonumber(to)}
end

if last ~= tonumber(ARGV[1]) then
  if last == 0 then return {'missing'} end
  return {'conflict', last}
end

local version = last
for i = 6, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'm', ARGV[i]) -- refused by Redis itself if there is one of this number
end
redis.call('HSET', KEYS[2], ARGV[2], (last + 1) .. ' ' .. version .. ' ' .. ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('SET', KEYS[3], '', 'EX', ARGV[5])
return {'appended', last + 1, version}
