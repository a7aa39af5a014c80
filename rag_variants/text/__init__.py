"""What a text is made of: its language, sentences, terms, citations."""
