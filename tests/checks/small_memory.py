"""Files that claim more than they hold, read where memory is short."""

import subprocess
import sys


def check_refused(folder, files, module, loader):
    """Read files in a process of 4 GiB, and see each of them refused, not for want of memory.

    Headers may claim anything; memory is taken for what is there.

    Parameters
    ----------
    files : dict of str to bytes
        Written to the folder by their names.
    module, loader : str
        What reads them: the name of a function in a module.
    """
    for name, data in files.items():
        (folder / name).write_bytes(data)
    program = (
        "import resource, sys\n"
        "from walkmesh.errors import SceneError\n"
        f"from {module} import {loader} as load\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        load(name)\n"
        "    except SceneError as error:\n"
        "        assert 'does not fit' not in str(error), error\n"
        "        print('refused')\n"
    )
    names = [str(folder / name) for name in files]
    done = subprocess.run(
        [sys.executable, "-c", program, *names], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["refused"] * len(files), done.stderr
