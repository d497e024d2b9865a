-- Read a table: its entries, its requests, and the milliseconds until its log and its mark expire.
--
-- KEYS  log, idem, mark (see append.lua)

return {
  redis.call('XRANGE', KEYS[1], '-', '+'),
  redis.call('HGETALL', KEYS[2]),
  redis.call('PTTL', KEYS[1]),
  redis.call('PTTL', KEYS[3]),
}
