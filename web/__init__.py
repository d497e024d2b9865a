"""The pages in the players' hands."""
