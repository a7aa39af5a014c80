"""`rag-variants app`."""

import argparse
import os
import subprocess
import sys
from typing import Any


def add_commands(commands: Any) -> None:
    """Adds `app`."""
    parser = commands.add_parser("app", help="open the browser page")
    parser.add_argument("--port", type=int, default=8501, help="default: 8501")
    parser.add_argument(
        "--listen", default="localhost", metavar="ADDRESS", help="0.0.0.0 lets others in (default: localhost)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    parser.set_defaults(command=_app)


def _app(options: argparse.Namespace) -> int:
    from rag_variants.settings import packaged
    from rag_variants.ui.server import server_options

    flags = server_options(options.port, options.listen)
    command = [sys.executable, "-m", "streamlit", "run", str(packaged("app.py")), *flags]
    if not options.no_browser:
        subprocess.Popen([sys.executable, "-m", "rag_variants.cli.browser", f"http://localhost:{options.port}"])
    if os.name != "nt":  # the server takes this process' place, so that whoever ends it ends the server
        os.execv(sys.executable, command)
    return subprocess.call(command)  # on Windows a replaced process would leave the console to the next command
