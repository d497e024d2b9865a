"""Bodies that are no JSON."""

from __future__ import annotations

NOT_JSON = {
    "nothing": b"",
    "cut off": b'{"move": ',
    "not a number": b'{"to": NaN}',
    "infinite": b'{"to": 1e999}',
    "minus infinity": b"-Infinity",
    "400 digits": b'{"to": ' + b"1" * 400 + b"}",
    "half a character": b'{"move": "\\ud800"}',
    "deep": b"[" * 100_000,
    "deep and closed": b"[" * 5_000 + b"]" * 5_000,
    "20 levels of lists in an object": b'{"a": 1, "b": ' + b"[" * 20 + b"]" * 20 + b"}",
    "20 levels of objects in a list": b"[" + b'{"a":' * 20 + b"1" + b"}" * 20 + b"]",
    "not UTF-8": b'{"move": "\xff"}',
    "UTF-16": '{"move": "h c4"}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "two values": b"{}{}",
    "comment": b"{} // hello",
    "single quotes": b"{'move': 'h c4'}",
    "a member twice": b'{"move": "h c4", "move": "h c5"}',
    "a member twice, inside": b'{"setup": {"readings": {"stuck": "ends", "stuck": "turn_is_cut"}}}',
    "a member twice, written differently": b'{"move": 1, "mo\\u0076e": 2}',
}
