"""From the domain to the JSON of a response, with the words of a language."""
