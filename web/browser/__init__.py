"""Reads a browser's request: its cookies, language, address and forms."""
