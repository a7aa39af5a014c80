"""Opens the browser at a page as soon as its server answers; a process of its own beside the server's."""

import sys
import time
import urllib.error
import urllib.request
import webbrowser

PATIENCE = 60  # seconds


def open_when_served(address: str, patience: float = PATIENCE) -> bool:
    """Waits until a server answers at an address, then opens a browser there; False if none answered in time."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return webbrowser.open(address)
    return False


if __name__ == "__main__":
    open_when_served(sys.argv[1])
