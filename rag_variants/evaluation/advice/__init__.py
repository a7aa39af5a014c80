"""Single changes of a variant, tried before they are advised."""
