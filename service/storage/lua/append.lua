-- Append payloads to a table's log: all of them, or none.
--
-- KEYS  log (a stream), idem (a hash: the entries that each request wrote), mark (the table exists, or existed)
-- ARGV  the version that the writer saw, the request's key, its fingerprint,
--       the lifetime of the log in seconds, that of the mark, that of a log that nobody has used since it was opened,
--       the percentage of used memory from which on the server opens no new log, the payloads
--
-- The script looks up the request's key before it compares versions: a late retry of a request that was carried out
-- is a replay, not a conflict. A replay writes, too (EXPIRE); so the service can wait for the replicas after it.
--
-- One append opens a log. The second append is the first use of the log, unless a key was used before (use.lua).

local function live(seconds)
  redis.call('EXPIRE', KEYS[1], seconds)
  redis.call('EXPIRE', KEYS[2], seconds)
end

-- Whether the server has no memory for another log. Without permission for INFO, or without a limit, it has some.
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
  redis.call('XADD', KEYS[1], version .. '-0', 'm', ARGV[i]) -- Redis rejects a number that exists
end
redis.call('HSET', KEYS[2], ARGV[2], (last + 1) .. ' ' .. version .. ' ' .. ARGV[3])
live(last == 0 and ARGV[6] or ARGV[4])
redis.call('SET', KEYS[3], '', 'EX', ARGV[5])
return {'appended', last + 1, version}
