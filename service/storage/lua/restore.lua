-- Write a table that dump.lua has read, unless Redis has it or its mark.
--
-- KEYS  log, idem, mark (see append.lua)
-- ARGV  the lifetime of the log and that of the mark in milliseconds, the number of payloads, the payloads, then for
--       each request its key and the entries that it wrote

if redis.call('EXISTS', KEYS[1]) == 1 then return 'there' end
if redis.call('EXISTS', KEYS[3]) == 1 then return 'ended' end

local last = 3 + ARGV[3]
for i = 4, last do redis.call('XADD', KEYS[1], (i - 3) .. '-0', 'm', ARGV[i]) end
for i = last + 1, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
if last > 3 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
redis.call('SET', KEYS[3], '', 'PX', ARGV[2])
return 'added'
