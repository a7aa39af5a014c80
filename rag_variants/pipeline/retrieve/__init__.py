"""What is searched → a ranking of chunks."""
