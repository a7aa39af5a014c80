"""Why a result came out as it did: the flow of chunks, what moved a delta, signals."""
