"""What exit codes mean.

`UNDECIDED`: too little is known to say whether a requirement is met, or all answers or judgements of a run failed.
"""

DONE, NOT_MET, COULD_NOT_START, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
