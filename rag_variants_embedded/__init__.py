"""What judges and answers without a key, on this computer; it comes through the same doors as anybody's parts."""
