"""Run, evaluate, compare: what an experiment does, from a plan to paired deltas with verdicts."""
