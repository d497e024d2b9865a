"""How often and how much one address may ask."""
