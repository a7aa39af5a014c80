"""The words on the screens, in three languages."""
