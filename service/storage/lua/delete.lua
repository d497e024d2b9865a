-- Delete a table's log, and leave a mark that the table existed. Deleting it again changes nothing.
--
-- KEYS  log, idem, mark
-- ARGV  the lifetime of the mark in seconds

if redis.call('EXISTS', KEYS[1], KEYS[3]) == 0 then return {'missing'} end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SET', KEYS[3], '', 'EX', ARGV[1])
return {'deleted'}
