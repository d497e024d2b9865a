"""The API over HTTP: one module of views for each resource, and what all requests and responses share."""
