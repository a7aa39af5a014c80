"""Several settings that differ, changed one at a time."""
