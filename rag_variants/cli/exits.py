"""What exit codes mean. `UNDECIDED`: too little is known: whether a requirement is met, or anything where all
answers or judgements failed."""

DONE, NOT_MET, COULD_NOT_START, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
