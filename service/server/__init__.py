"""The process: gunicorn, its worker, and the sockets of its clients."""
