"""Lessons: pairs of variants whose known difference teaches how to read a result."""
