"""`python -m rag_variants.cli`: the command line without its script."""

import sys

from rag_variants.cli import main

if __name__ == "__main__":
    sys.exit(main())
