"""The keyless judge: deterministic verdicts on whether a text supports a statement."""
