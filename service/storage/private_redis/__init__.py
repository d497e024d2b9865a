"""A private Redis for a machine without one: start it, watch it, end it."""
