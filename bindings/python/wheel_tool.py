#!/usr/bin/env python3
"""Makes the wheel, with the standard library alone: the package, the C library, and what PEP 427 asks for.

    wheel_tool.py LIBRARY VERSION OUT      prints the path of the wheel

It is a build backend as well (PEP 517): pip takes the library from TESSERA_LIBRARY. The same input
gives the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import platform
import sys
import sysconfig
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY_NAME = "libtessera.so.0"
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file knows


def platform_tag():
    """What the machine must have that runs it: that library of C, or a newer one, and this processor."""
    name = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    libc, version = platform.libc_ver()
    if libc == "glibc":
        return name.replace("linux", "manylinux_" + "_".join(version.split(".")[:2]), 1)
    return name


def metadata(project, version):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
             f"License: {project['license']}", f"Keywords: {','.join(project['keywords'])}",
             *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
             "License-File: LICENSE", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (HERE / project["readme"]).read_text()


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def make_wheel(library, version, out):
    """The name of the file, which is in the folder `out`."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    stem = f"{project['name'].replace('-', '_')}-{version}"
    # No part of it depends on a version of Python: what is compiled is called by ctypes.
    tag = f"py3-none-{platform_tag()}"
    info = f"{stem}.dist-info"
    files = {f"tessera/{path.name}": path.read_bytes()
             for path in sorted((HERE / "tessera").iterdir()) if path.suffix in (".py", ".typed")}
    files[f"tessera/{LIBRARY_NAME}"] = pathlib.Path(library).read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
    record = [f"{name},{digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()

    name = f"{stem}-{tag}.whl"
    path = pathlib.Path(out) / name
    with zipfile.ZipFile(path.with_suffix(".part"), "w", zipfile.ZIP_DEFLATED) as wheel:
        for inside, data in files.items():
            entry = zipfile.ZipInfo(inside, ALWAYS)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if inside.endswith(LIBRARY_NAME) else 0o100644) << 16
            wheel.writestr(entry, data)
    path.with_suffix(".part").rename(path)
    return name


# As pip asks for it.

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    library = os.environ.get("TESSERA_LIBRARY")
    if not library:
        raise SystemExit("tessera-id: TESSERA_LIBRARY must name libtessera.so.0, which CMake builds as tessera_shared")
    version = (HERE.parents[1] / "VERSION").read_text().split()[0]
    return make_wheel(library, version, wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("tessera-id: there are wheels only, since the library comes from the build of Tessera")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(pathlib.Path(sys.argv[3]) / make_wheel(*sys.argv[1:]))
