"""Runs on disk: written whole, read back equal, and the folder where they are saved."""
