"""What exit codes mean."""

DONE, NOT_MET, COULD_NOT_START, INTERRUPTED = 0, 1, 2, 130
