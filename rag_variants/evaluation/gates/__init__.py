"""Requirements on a comparison, and whether they are met."""
