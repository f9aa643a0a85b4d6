"""What pyproject.toml cannot say: the extension is built by CMake."""

import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
BUILD = ROOT / "build" / "python"


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        configure = ["cmake", "--preset", "python", f"-DPython_EXECUTABLE={sys.executable}"]
        subprocess.run([*configure, "--log-level=WARNING"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", "--preset", "python"], cwd=ROOT, check=True)
        (built,) = (BUILD / "package" / "memmatch").glob("_memmatch.*.so")
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)


# What an earlier build left would go into the wheel.
shutil.rmtree(ROOT / "build" / "wheel", ignore_errors=True)
(ROOT / "build" / "wheel").mkdir(parents=True)
setup(
    ext_modules=[Extension("memmatch._memmatch", [])],
    cmdclass={"build_ext": CMakeBuild},
    # All that a build leaves is in build/.
    options={"build": {"build_base": "build/wheel"}, "egg_info": {"egg_base": "build/wheel"}},
)
