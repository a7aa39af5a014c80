"""Is a difference real: paired tests, how many questions it takes, the best of several."""
