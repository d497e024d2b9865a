"""The API over HTTP: a module of views for each resource, and what all requests and answers share."""
