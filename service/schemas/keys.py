"""The bodies that make keys and join codes, and exchange join codes."""

from __future__ import annotations

from typing import Final

from service.schemas.fields import Text, Timestamp
from service.schemas.game_schemas import body_of

KEY_BODY: Final = body_of(role=Text(required=True), label=Text(load_default=""), until=Timestamp(load_default=None))
"""The body that makes a key."""
CODE_BODY: Final = body_of(role=KEY_BODY.fields["role"])
"""The body that makes a join code."""
JOIN_BODY: Final = body_of(code=Text(required=True))
"""The body that exchanges a join code."""
RENEWAL_BODY: Final = body_of(label=KEY_BODY.fields["label"])
"""The body that renews the keys of a role."""
