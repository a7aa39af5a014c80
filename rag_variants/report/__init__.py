"""A comparison in words, tables, charts and files."""
