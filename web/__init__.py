"""The pages that the players use."""
