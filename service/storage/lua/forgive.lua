-- Remove one count from some limits: they are not meant for this request.
--
-- KEYS  the limits, as in limit.lua: lists. The script removes the newest count. If another request came meanwhile,
--       that is its count, and the older count stays in its place: no count lasts longer than it would have.

redis.set_repl(redis.REPL_NONE)
for i = 1, #KEYS do redis.call('RPOP', KEYS[i]) end
return #KEYS
