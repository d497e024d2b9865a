-- Delete a table's log and remember that it is gone. Deleting twice is deleting.
--
-- KEYS  log, idem, mark
-- ARGV  the seconds that the mark lives

if redis.call('EXISTS', KEYS[1], KEYS[3]) == 0 then return {'missing'} end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SET', KEYS[3], '', 'EX', ARGV[1])
return {'deleted'}
