"""Drawing, with no game in it."""
