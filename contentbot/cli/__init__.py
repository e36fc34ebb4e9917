"""The `contentbot` command: one module per subcommand, each a call and the shaping of its answer.

Exit codes: 0 it worked, 1 something failed, 2 the configuration or the command line is wrong, 130 interrupted. What was
asked for goes to stdout, everything said on the way to stderr; with `--json` stdout is JSON and nothing else.
"""

from contentbot.cli.app import main, run

__all__ = ["main", "run"]
