"""Files → questions; evidence → which chunks are gold."""
