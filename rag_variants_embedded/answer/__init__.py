"""The answerers that work without a model: extractive, retelling, and inventive by plan."""
