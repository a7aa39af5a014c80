"""`rag-variants app`."""

import argparse
import os
import socket
import subprocess
import sys
from typing import Any

from rag_variants.errors import UserError


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

    check_port(options.port, options.listen)
    flags = server_options(options.port, options.listen)
    command = [sys.executable, "-m", "streamlit", "run", str(packaged("app.py")), *flags]
    if not options.no_browser:
        subprocess.Popen([sys.executable, "-m", "rag_variants.cli.browser", f"http://localhost:{options.port}"])
    if os.name != "nt":  # the server takes this process' place, so that whoever ends it ends the server
        os.execv(sys.executable, command)
    return subprocess.call(command)  # on Windows a replaced process would leave the console to the next command


def check_port(port: int, address: str) -> None:
    """Nothing, if a server can listen there. Raises UserError with another choice else."""
    if not 1 <= port <= 65_535:
        raise UserError(f"There is no port {port}. Choose one from 1 to 65535, such as --port 8501.")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as tried:
            if (
                os.name != "nt"
            ):  # a server that ended a moment ago does not hold its port; on Windows this would share it
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(place)
    except OSError as error:
        other = port + 1 if port < 65_535 else port - 1
        raise UserError(
            f"Nothing can listen at {address}, port {port} ({error.strerror or error}). Stop what runs there, or "
            f"choose another port: rag-variants app --port {other}"
        ) from error
