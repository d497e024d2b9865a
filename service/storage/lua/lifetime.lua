-- Whether a table exists or existed, the milliseconds until its log expires (-2: it has expired), and the time now.
--
-- KEYS  log, mark

return {redis.call('EXISTS', KEYS[2]), redis.call('PTTL', KEYS[1]), redis.call('TIME')}
