"""A question → what is searched for it."""
