"""The process: gunicorn, its worker, and how a client is read."""
