"""setuptools as the build backend: the one that pip has fetched, or else the system's.

pip hides the system's packages from a build, to fetch what the build names. Debian's packages are
enough, and there need not be a network.
"""

import sys

sys.path.append("/usr/lib/python3/dist-packages")

from setuptools.build_meta import *  # noqa: E402, F401, F403


def get_requires_for_build_wheel(config_settings=None):
    """Nothing: setuptools would ask for wheel, which is there."""
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
