"""How the server is started: one place for the command line and for tests.

An installed package has no folder for Streamlit's config.toml, so the options travel as flags.
"""

import json

# A is blue and B orange, in tones that hold with every kind of colour blindness; nothing else has a colour of its own.
_LIGHT: dict[str, str | bool] = {
    "primaryColor": "#374151",
    "blueColor": "#0067b1",
    "blueTextColor": "#0067b1",
    "orangeColor": "#c2570c",
    "orangeTextColor": "#b04a00",
}
_DARK: dict[str, str | bool] = {
    "primaryColor": "#d1d5db",
    "blueColor": "#6cb6ff",
    "blueTextColor": "#6cb6ff",
    "orangeColor": "#ffa657",
    "orangeTextColor": "#ffa657",
}

# What holds however the app is started; `.streamlit/config.toml` says the same to a bare `streamlit run`.
SETTINGS: dict[str, dict[str, str | bool]] = {
    # Headless: otherwise Streamlit's first start asks for an e-mail address before it serves a page.
    "server": {"address": "localhost", "fileWatcherType": "none", "headless": True},
    "browser": {"gatherUsageStats": False},
    "client": {"showSidebarNavigation": False, "toolbarMode": "minimal", "showErrorDetails": "type"},
    "theme.light": _LIGHT,
    "theme.dark": _DARK,
}


def server_options(port: int = 8501, listen: str = "localhost") -> list[str]:
    """The flags after `streamlit run FILE`. The server listens on this computer alone unless told otherwise."""
    options = {f"{section}.{name}": value for section, values in SETTINGS.items() for name, value in values.items()}
    options.update({"server.port": str(port), "server.address": listen})
    return [flag for name, value in options.items() for flag in (f"--{name}", _written(value))]


def config_toml() -> str:
    """The settings as the text of `.streamlit/config.toml`, for a checkout."""
    lines = ["# Written by rag_variants/ui/server.py; a test keeps both equal."]
    for section, values in SETTINGS.items():
        lines += ["", f"[{section}]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def _written(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value
