"""Faults that the inventive answerer plants: one file a kind, and the plan of which sentence gets which."""
