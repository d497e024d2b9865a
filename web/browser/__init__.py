"""What a request of a browser says: its cookies, language, address and forms."""
