"""Which packages there are: the folders of the repository as one import package. All else is in pyproject.toml."""

from setuptools import find_namespace_packages, setup

FOLDERS = ("adapters", "cases", "harness", "oracle", "schema")

found = find_namespace_packages(include=[*FOLDERS, *(f"{name}.*" for name in FOLDERS)], exclude=["*__pycache__*"])
setup(
    packages=["judgecall", *(f"judgecall.{name}" for name in found)],
    package_dir={"judgecall": "src"} | {f"judgecall.{name}": name for name in FOLDERS},
)
