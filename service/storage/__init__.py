"""What knows Redis: the log, the servers that keep it, and the private one."""
