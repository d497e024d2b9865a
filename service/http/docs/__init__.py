"""Documentation and health: the contract, the pages of the problems, `/livez` and `/readyz`."""
