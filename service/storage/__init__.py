"""All that uses Redis: the log, the servers that store it, and the private server."""
