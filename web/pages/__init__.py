"""What each page is made of, ready for its template."""
