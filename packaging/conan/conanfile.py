"""Tessera for Conan 2: `conan create packaging/conan`. Core alone, or with `-o "&:rooms=True"` all."""
import pathlib

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

TOP = pathlib.Path(__file__).resolve().parents[2]
CORE = ["core", "c"]
ROOMS = ["config", "segment", "lease", "registry", "db", "http", "store", "client", "migrate", "contract", "service"]


class Tessera(ConanFile):
    name = "tessera"
    license = "Apache-2.0"
    description = "Identifiers: made, checked, read, stored and retired"
    topics = ("ulid", "uuid", "snowflake", "identifiers")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"rooms": [True, False]}
    default_options = {"rooms": False}

    def set_version(self):
        self.version = (TOP / "VERSION").read_text().strip()

    def export_sources(self):
        for name in ("CMakeLists.txt", "VERSION", "LICENSE", "README.md", "SECURITY.md"):
            copy(self, name, str(TOP), self.export_sources_folder)
        for folder in ("cmake", "include", "src", "packaging"):
            copy(self, f"{folder}/*", str(TOP), self.export_sources_folder)

    def requirements(self):
        if self.options.rooms:
            for needed in ("boost/[>=1.81]", "libyaml/[>=0.2.5]", "sqlite3/[>=3.37]", "openssl/[>=3.0]",
                           "zlib/[>=1.2]", "libpq/[>=13]", "libmariadb/[>=3.1]"):
                self.requires(needed)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "TESSERA_DEVELOP": False,
            "TESSERA_PROGRAM": False,
            "TESSERA_CONSOLE": False,
            "TESSERA_EXTENSIONS": False,
            "TESSERA_ONLY_CORE": not self.options.rooms,
        })
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, str(pathlib.Path(self.package_folder, "licenses")))
        CMake(self).install()

    def package_info(self):
        # Our own package for CMake knows its components, and what each of them needs.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append("lib/cmake/tessera")
        self.cpp_info.libs = ["tessera"] + [f"tessera_{room}" for room in (ROOMS if self.options.rooms else []) + ["core"]]
