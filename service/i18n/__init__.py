"""Makes sentences in the reader's language from the facts of the rules."""
