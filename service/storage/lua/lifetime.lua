-- Whether there is or was such a table, how many milliseconds its log has left (-2: it has ended), and the time now.
--
-- KEYS  log, mark

return {redis.call('EXISTS', KEYS[2]), redis.call('PTTL', KEYS[1]), redis.call('TIME')}
