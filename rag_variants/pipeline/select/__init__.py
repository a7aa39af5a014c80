"""A ranking → the hits that the answer may use."""
