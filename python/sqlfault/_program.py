"""Where the program is."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path


def find(program=None):
    """The path of the `sqlfault` program: the argument, `SQLFAULT_PROGRAM`, the wheel's own, or the one on PATH.

    Raises FileNotFoundError where there is none.
    """
    named = program or os.environ.get("SQLFAULT_PROGRAM")
    if named:
        found = shutil.which(str(named))
        if found is None:
            raise FileNotFoundError(f"there is no program {named}")
        return found
    name = "sqlfault.exe" if os.name == "nt" else "sqlfault"
    for folder in (sysconfig.get_path("scripts"), Path(sys.executable).parent):
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("there is no program sqlfault on PATH; install the wheel or set SQLFAULT_PROGRAM")
    return found
