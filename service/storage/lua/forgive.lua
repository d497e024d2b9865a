-- Take one count of some limits back: the request was none of those that they are for.
--
-- KEYS  the limits, as limit.lua has them: lists. The oldest count goes, and the newest stands for it.

redis.set_repl(redis.REPL_NONE)
for i = 1, #KEYS do redis.call('LPOP', KEYS[i]) end
return #KEYS
