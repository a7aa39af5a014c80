"""A package that ends the program while it is imported."""

raise SystemExit("bye")
