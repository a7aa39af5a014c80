"""Files → documents → chunks, and how their text is compared."""
