pytest_plugins = ["tests.plugins"]
