-- Take one count of some limits back: the request was none of those that they are for.
--
-- KEYS  the limits, as limit.lua has them: lists. The newest count goes. If it is that of another request, which came
--       meanwhile, its own stands for it: no count lasts longer because somebody's request was right.

redis.set_repl(redis.REPL_NONE)
for i = 1, #KEYS do redis.call('RPOP', KEYS[i]) end
return #KEYS
