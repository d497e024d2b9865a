"""Stored entries, byte by byte: every later release writes today's entries as they are in Redis."""

from __future__ import annotations

from typing import get_args

import orjson
import pytest

from service.tables import codec
from service.tables.entries import AnyEntry, Unreadable
from service.tables.entry_fields import fields_of
from tests.support.loops import over

FINDING = (
    b'{"rule":"FI-10","code":"church","ruling":"unproven","values":{"n":1,"cells":["a1","b2"],"lord":'
    b'{"name":"Henri","said":"count","values":{"village":"Sigy"}}},'
    b'"evidence":[[["a1"],{"black":2}],[[[0,1],[-2,3]],{}]],"needs":["x"]}'
)
PAYLOADS = (
    (
        b'{"type":"opened","at":"2026-11-21T12:30:00.123456Z","by":"host","game":"villefranche",'
        b'"setup":{"readings":{"stuck":"ends"}},"rules_version":"2","keys":{"aa":"host","bb":"black"}}'
    ),
    (
        b'{"type":"imported","at":"2026-11-21T12:30:00Z","by":"host","game":"villefranche","setup":{},'
        b'"rules_version":"2","keys":{"aa":"host"},"imported":3,"imported_at":"2026-11-27T08:00:00.500000Z"}'
    ),
    b'{"type":"played","at":"2026-11-21T12:30:00Z","by":"host","move":"h c4","seat":"white","ruling":"unproven",'
    b'"stands":true,"findings":[' + FINDING + b'],"rules_version":"2","dispute":1}',
    b'{"type":"rewound","at":"2026-11-21T12:30:00Z","by":"black","to":2,"dispute":1}',
    (
        b'{"type":"readings","at":"2026-11-21T12:30:00Z","by":"host","readings":{"stuck":"turn_is_cut"},'
        b'"rules_version":"2","dispute":1}'
    ),
    b'{"type":"checkpoint","at":"2026-11-21T12:30:00Z","by":"host","position":{"cells":{},"due":"white"},'
    b'"led":"impossible","way":["h c4","r b1c1"],"why":[' + FINDING + b'],"looked":2,"rules_version":"2","dispute":1}',
    b'{"type":"disputed","at":"2026-11-21T12:30:00Z","by":"black","entry":3,"move":"h c4","question":"Is it so?",'
    b'"ruling":"illegal","findings":[' + FINDING + b'],"rules_version":"2"}',
    b'{"type":"confirmed","at":"2026-11-21T12:30:00Z","by":"white","dispute":1,"remedy":"go_back"}',
    (
        b'{"type":"confirmed","at":"2026-11-21T12:30:00Z","by":"white","dispute":null,"remedy":"","change":'
        b'{"do":"insert","entry":3,"moves":[["h c4",true],["r b1c1",false]],"misfits":"stop"}}'
    ),
    b'{"type":"settled","at":"2026-11-21T12:30:00Z","by":"host","dispute":1,"remedy":"replay","text":"We agree."}',
    (
        b'{"type":"amended","at":"2026-11-21T12:30:00Z","by":"host","change":'
        b'{"do":"delete","entry":3,"moves":[],"misfits":"leave_out"},"to":2,"line":[0,4,5],"changed":[5]}'
    ),
    (
        b'{"type":"rolled","at":"2026-11-21T12:30:00Z","by":"black","for":"battle",'
        b'"throws":[{"dice":[["ordinary",2],["high",6]]}],"faces":{"ordinary":[1,2],"high":[5,6]},'
        b'"move":"attack","camp":"defence","with":"server","rules_version":"2"}'
    ),
    (
        b'{"type":"rolled","at":"2026-11-21T12:30:00Z","by":"host","for":"begins",'
        b'"throws":[{"dice":[["ordinary",2]],"seat":"black"},{"dice":[["ordinary",1]],"seat":"white"}],'
        b'"faces":{"ordinary":[1,2]},"move":null,"camp":"","with":"server","rules_version":"2"}'
    ),
    b'{"type":"renamed","at":"2026-11-27T12:30:00Z","by":"black","names":{"black":"Ada","white":""}}',
    b'{"type":"view_made","at":"2026-11-27T12:30:00Z","by":"host","hash":"' + b"0f" * 32 + b'",'
    b'"label":"Club","names":true,"since":1}',
    b'{"type":"view_revoked","at":"2026-11-27T12:30:00Z","by":"host","view":1}',
    b'{"type":"key_made","at":"2026-11-27T12:30:00Z","by":"host","hash":"' + b"1f" * 32 + b'","role":"watch",'
    b'"label":"Screen","until":"2026-11-28T12:30:00Z","parent":1}',
    b'{"type":"key_revoked","at":"2026-11-27T12:30:00Z","by":"host","key":2}',
)
"""Entries written by the release that had a function for each kind; each field is filled in at least one."""


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: str(orjson.loads(payload)["type"]))
def test_what_was_stored_is_stored_again_in_the_same_bytes(payload: bytes) -> None:
    """A stored entry, decoded and encoded again, has the same bytes."""
    assert codec.encode(codec.decode(2, payload)) == payload


def test_every_field_of_every_kind_is_among_them() -> None:
    """Every kind of entry is in the list, and every field is filled in one."""
    found = [codec.decode(2, payload) for payload in PAYLOADS]
    assert {*codec.TYPES} == {*get_args(AnyEntry)} == set(map(type, found))
    for kind in over(codec.TYPES):
        for field in fields_of(kind):
            values = [getattr(each, field.name) for each in found if type(each) is kind]
            assert [value for value in values if value not in (None, "", ())], field


def test_a_field_has_one_name_in_the_log_and_one_in_the_api() -> None:
    """The fields of an entry have different names, both in the log and in the API."""
    for kind in over(codec.TYPES):
        fields = fields_of(kind)
        log = ["type", "at", "by", *(field.log for field in fields)]
        api = ["version", "type", "at", "recorded_by", *(field.api for field in fields if not field.is_hidden)]
        assert (len(set(log)), len(set(api))) == (len(log), len(api)), kind


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("played", b'"move":"h c4"', b'"move":null'),
        ("played", b'"stands":true', b'"stands":null'),
        ("played", b'"stands":true', b'"stands":1'),
        ("played", b'"seat":"white"', b'"seat":1'),
        ("rewound", b'"to":2', b'"to":true'),
        ("rewound", b'"to":2,', b""),
        ("readings", b'{"stuck":"turn_is_cut"}', b'{"stuck":1}'),
        ("amended", b"[0,4,5]", b'{"0":4}'),
        ("amended", b'"do":"delete"', b'"do":"insert"'),
        ("confirmed", b'"dispute":1', b'"dispute":null'),
        ("rolled", b'["high",6]', b'["high",6,6]'),
        ("rolled", b'["high",6]', b'["high"]'),
        ("view_made", b'"0f0f', b'"0F0f'),
        ("view_made", b'"since":1', b'"since":2'),
        ("view_revoked", b'"view":1', b'"view":"1"'),
        ("key_made", b'"1f1f', b'"1F1f'),
        ("key_made", b'"parent":1', b'"parent":null'),
        ("key_revoked", b'"key":2', b'"key":"2"'),
    ],
    ids=str,
)
def test_a_value_of_another_type_is_unreadable(kind: str, name: bytes, value: bytes) -> None:
    """A value of a wrong type, or a missing one, makes the entry unreadable. The control: the original can be read."""
    payload = next(each for each in PAYLOADS if orjson.loads(each)["type"] == kind)
    codec.decode(2, payload)
    assert name in payload
    with pytest.raises(Unreadable):
        codec.decode(2, payload.replace(name, value, 1))
