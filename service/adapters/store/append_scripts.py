"""The scripts that append a commit; see `Keys.touched`, `Keys.of_people` and `_arguments` in `event_store.py` for what they get."""

from typing import Final

from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.store.packing import IS_SAME
from hoodwink.service.adapters.store.people.player_lists import APPEND_TO_LIST

# Redis would accept ids with gaps, so the script compares the number of events. That alone proves nothing: a store
# that came back older may have grown to the same length with other events. So the script compares the last hash as
# well. The hash is stored with the commands, where reading it costs a third of reading the event. If an earlier
# release stored the last event, only the event has it. A command counts as known only while the stream has its
# events. Redis does not undo a script that fails halfway, so it first reads every key, which fails on a wrong type.
_APPENDING: Final = (
    IS_SAME
    + """\
local stream, commands, feed = KEYS[1], KEYS[2], KEYS[3]
local name, expected, head = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local command, fingerprint, types, due = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local function event(version)
  local id = version .. '-0'
  local found = redis.call('XRANGE', stream, id, id)[1]
  return found and found[2]
end
local noted = redis.call('HMGET', commands, command, ':head')
local known = noted[1]
if known then
  local led_to = event(string.match(known, '^%d+ (%d+) '))
  if led_to and (led_to[10] == ARGV[17] or led_to[10] == command) then return {'DUPLICATE', known} end
end
local version = redis.call('XLEN', stream)
if version == 0 or version ~= expected or noted[2] ~= ARGV[2] .. ' ' .. head then
  -- The caller compares with archived events. It names the tombstone with which it did, and the version there.
  -- Most appends need no tombstone. A key that may not exist would refuse them all while a cluster moves the slot,
  -- so it is not among KEYS.
  local tombstones = string.match(stream, '^hw:{p%d+}:') .. 'archived'
  local tombstone, archived = redis.call('HGET', tombstones, name) or '', tonumber(ARGV[12])
  if tombstone ~= ARGV[11] then return {'ARCHIVED', tombstone} end
  version = version + archived
  local remembered = expected > archived and event(ARGV[2])
  if expected > archived and not (remembered and is_same(remembered[12], head)) then return {'DIVERGED', version} end
  if version ~= expected then
    return {'CONFLICT', version, redis.call('XRANGE', stream, string.format('%d-0', expected + 1), '+')}
  end
end
redis.call('XLEN', feed)
local people = ARGV[10]
if KEYS[5] then redis.call('ZCARD', KEYS[5]) end
if KEYS[4] then redis.call((people == '' or KEYS[5]) and 'HLEN' or 'SCARD', KEYS[4]) end
local first = string.format('%d', version + 1)
for i = 13, #ARGV, 6 do
  version = version + 1
  redis.call('XADD', stream, string.format('%d-0', version),
    'type', ARGV[i], 'data', ARGV[i + 1], 'at', ARGV[i + 2],
    'by', ARGV[i + 3], 'cmd', ARGV[i + 4], 'hash', ARGV[i + 5])
end
if KEYS[5] then redis.call('ZADD', KEYS[5], ARGV[15], people) end
if people ~= '' and not KEYS[5] then
  for id in string.gmatch(people, '%S+') do redis.call('SADD', KEYS[4], id) end
elseif KEYS[4] then
  local id = string.match(name, ':(.*)')
  if ARGV[8] == '' then redis.call('HDEL', KEYS[4], id) else redis.call('HSET', KEYS[4], id, ARGV[8]) end
end
local last = string.format('%d', version)
redis.call('HSET', commands, ':head', last .. ' ' .. ARGV[#ARGV])
if command ~= '' then redis.call('HSET', commands, command, first .. ' ' .. last .. ' ' .. fingerprint) end
redis.call('XADD', feed, '*',
  'stream', name, 'first', first, 'version', last, 'types', types, 'due', due, 'head', ARGV[#ARGV],
  'request', ARGV[9])
return {'APPENDED', version}
"""
)
_DUPLICATE: Final = "return {'DUPLICATE', known}"
APPEND: Final = {False: Script(_APPENDING), True: Script(APPEND_TO_LIST)}
"""The script for streams, and the one for lists."""

# A wait only covers writes on its own connection, and the first append may have used another one. So a repeated
# append writes the same value again, and the wait then covers everything that this server has written before.
APPEND_OR_REPEAT: Final = {
    False: Script(
        _APPENDING.replace(_DUPLICATE, f"redis.call('HSET', commands, command, known) {_DUPLICATE}")
    ),
    True: Script(APPEND_TO_LIST.replace(_DUPLICATE, f"redis.call('LSET', list, 0, stored[1]) {_DUPLICATE}")),
}
