"""Documentation: the contract and the pages of the problems."""
