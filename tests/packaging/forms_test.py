#!/usr/bin/env python3
"""What other tools read: recipes, the container file, accounts and folders, the configuration.

    forms_test.py PROGRAM SOURCE_FOLDER

vcpkg and Conan are not of Debian, so their recipes are not run here; but what they say of us must be
so: the version, the options of our build, the libraries, the files that they copy.
"""
import ast
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = TOP = None
NEEDED = {"LibYaml": "libyaml", "LibSQLite": "sqlite3", "OpenSSL": "openssl", "ZLIB": "zlib"}


def options_of_our_build():
    text = "".join(path.read_text() for path in [TOP / "CMakeLists.txt", TOP / "cmake/console.cmake",
                                                 TOP / "extensions/postgres/CMakeLists.txt"])
    return set(re.findall(r"^option\((TESSERA_\w+)", text, re.M))


def rooms():
    return [path.parent.name for path in sorted((TOP / "src").glob("*/CMakeLists.txt"))]


def needs():
    text = " ".join(path.read_text() for path in (TOP / "src").glob("*/CMakeLists.txt"))
    found = re.findall(r"\bNEEDS ((?:(?!LINKS|BUILT_WITH|USES|TEST_LINKS)\w+\s+)+)", text)
    return {NEEDED[word] for words in found for word in words.split()}


class Vcpkg(unittest.TestCase):
    def setUp(self):
        self.manifest = json.loads((TOP / "packaging/vcpkg/vcpkg.json").read_text())
        self.port = (TOP / "packaging/vcpkg/portfile.cmake").read_text()

    def test_manifest(self):
        self.assertEqual(self.manifest["name"], "tessera")
        self.assertEqual(self.manifest["version-semver"], (TOP / "VERSION").read_text().strip())
        for name in [self.manifest["name"], *self.manifest["features"]]:
            self.assertRegex(name, r"^[a-z0-9]+(-[a-z0-9]+)*$")
        known = {"name", "version-semver", "description", "license", "supports", "dependencies", "default-features",
                 "features"}
        self.assertLessEqual(set(self.manifest), known)

    def test_names_what_our_rooms_need(self):
        named = set(self.manifest["features"]["rooms"]["dependencies"])
        self.assertLessEqual(needs(), named)
        self.assertLessEqual({"libpq", "libmariadb"}, named)

    def test_options_are_ours(self):
        used = set(re.findall(r"-D(TESSERA_\w+)=", self.port))
        self.assertTrue(used)
        self.assertLessEqual(used, options_of_our_build())

    def test_our_build_can_be_configured_so(self):
        """All rooms, without program, console, extensions and tests; and without a word of complaint."""
        options = re.findall(r"-D(?:TESSERA_\w+)=OFF", self.port)
        for only_core in ("ON", "OFF"):
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(["cmake", "-G", "Ninja", "-S", TOP, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *options,
                                      f"-DTESSERA_ONLY_CORE={only_core}"], capture_output=True, text=True)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                targets = pathlib.Path(folder, "build.ninja").read_text()
                self.assertEqual("libtessera_service.a" in targets, only_core == "OFF")
                self.assertNotIn("bin/tessera", targets)

    def test_cmake_can_read_the_port(self):
        """With the functions of vcpkg put in its place."""
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "try.cmake"
            script.write_text(
                "cmake_minimum_required(VERSION 3.25)\nfunction(vcpkg_cmake_configure)\n  cmake_parse_arguments(PARSE_ARGV 0 a \"\" SOURCE_PATH OPTIONS)\n"
                "  if(NOT EXISTS ${a_SOURCE_PATH}/CMakeLists.txt OR a_UNPARSED_ARGUMENTS)\n"
                "    message(FATAL_ERROR \"no sources in ${a_SOURCE_PATH}\")\n  endif()\n"
                "  message(\"${a_OPTIONS}\")\nendfunction()\n"
                "function(vcpkg_cmake_install)\nendfunction()\n"
                "function(vcpkg_cmake_config_fixup)\n"
                "  cmake_parse_arguments(PARSE_ARGV 0 a \"\" \"PACKAGE_NAME;CONFIG_PATH\" \"\")\n"
                "  if(a_UNPARSED_ARGUMENTS)\n    message(FATAL_ERROR)\n  endif()\nendfunction()\n"
                "function(vcpkg_fixup_pkgconfig)\nendfunction()\n"
                "function(vcpkg_install_copyright)\n  cmake_parse_arguments(PARSE_ARGV 0 a \"\" \"\" FILE_LIST)\n"
                "  if(NOT EXISTS ${a_FILE_LIST})\n    message(FATAL_ERROR \"no ${a_FILE_LIST}\")\n  endif()\nendfunction()\n"
                f"set(CURRENT_PACKAGES_DIR {folder}/packages)\nset(FEATURES ${{given}})\n"
                f"include({TOP}/packaging/vcpkg/portfile.cmake)\n")
            for given, expected in (("core", "TESSERA_ONLY_CORE=ON"), ("core;rooms", "TESSERA_ONLY_CORE=OFF")):
                run = subprocess.run(["cmake", f"-Dgiven={given}", "-P", script], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(expected, run.stderr)


class Conan(unittest.TestCase):
    def setUp(self):
        self.text = (TOP / "packaging/conan/conanfile.py").read_text()
        tree = ast.parse(self.text)
        self.values = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
        self.recipe = next(node for node in tree.body if isinstance(node, ast.ClassDef))

    def test_has_what_conan_calls(self):
        methods = {node.name for node in self.recipe.body if isinstance(node, ast.FunctionDef)}
        self.assertLessEqual({"set_version", "export_sources", "requirements", "layout", "generate", "build",
                              "package", "package_info"}, methods)
        fields = {node.targets[0].id for node in self.recipe.body if isinstance(node, ast.Assign)}
        self.assertLessEqual({"name", "license", "settings", "options", "default_options"}, fields)

    def test_names_all_rooms_and_what_they_need(self):
        named = ast.literal_eval(self.values["CORE"]) + ast.literal_eval(self.values["ROOMS"])
        self.assertEqual(sorted(set(named) - {"c"}), sorted(rooms()))
        required = set(re.findall(r'"([a-z0-9]+)/\[', self.text))
        self.assertLessEqual(needs() | {"boost", "libpq", "libmariadb"}, required)

    def test_options_are_ours(self):
        self.assertLessEqual(set(re.findall(r'"(TESSERA_\w+)":', self.text)), options_of_our_build())

    def test_copies_what_there_is(self):
        for names in re.findall(r"for (?:name|folder) in \(([^)]*)\)", self.text):
            for name in re.findall(r'"([^"]+)"', names):
                self.assertTrue((TOP / name).exists(), name)


class Container(unittest.TestCase):
    KNOWN = {"FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT",
             "CMD"}

    def setUp(self):
        text = (TOP / "packaging/Containerfile").read_text()
        text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", " ")
        self.steps = [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]

    def one(self, name):
        found = [rest for step, rest in self.steps if step == name]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def test_form(self):
        self.assertEqual(self.steps[0][0], "FROM")
        self.assertLessEqual({step for step, _ in self.steps}, self.KNOWN)
        self.assertRegex(self.one("FROM"), r"^debian:bookworm\S*$")  # what the packages are made for
        order = [step for step, _ in self.steps]
        self.assertLess(order.index("RUN"), order.index("USER"))
        self.assertNotIn(self.one("USER"), ("root", "0"))

    def test_what_it_runs_is_ours(self):
        self.assertEqual(json.loads(self.one("ENTRYPOINT")), ["tessera"])
        shown = re.findall(r"^#   podman run .* tessera (\w+ .*)$", (TOP / "packaging/Containerfile").read_text(), re.M)
        self.assertEqual(len(shown), 2)
        for words in [json.loads(self.one("CMD")), *(line.split() for line in shown)]:
            help_text = subprocess.run([PROGRAM, words[0], "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
            for flag in words[1:]:
                if flag.startswith("--"):
                    self.assertRegex(help_text, re.escape(flag) + r"\b")

    def test_variables_are_ours(self):
        page = (TOP / "docs/configuration.md").read_text()
        for name in re.findall(r"(\w+)=", self.one("ENV")):
            self.assertIn(f"`{name}`", page)


class System(unittest.TestCase):
    def test_configuration_is_good(self):
        run = subprocess.run([PROGRAM, "config", "check", TOP / "packaging/tessera.yaml"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_account_is_the_one_of_the_unit(self):
        user = re.search(r"^u (\w+) - \"[^\"]+\" (\S+)$", (TOP / "packaging/systemd/tessera.sysusers").read_text(), re.M)
        unit = (TOP / "packaging/systemd/tessera.service").read_text()
        self.assertIn(f"\nUser={user[1]}\n", unit)
        for line in (TOP / "packaging/systemd/tessera.tmpfiles").read_text().splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r"^[dz] /\S+ +0[0-7]{3} +(tessera|root) +(tessera|root) +-$")

    def test_every_package_has_its_description(self):
        text = (TOP / "packaging/install.cmake").read_text()
        names = re.findall(r"^deb\(\w+ (\S+)", text, re.M)
        self.assertEqual(len(names), 6)
        for name in names:
            lines = (TOP / f"packaging/debian/{name}.description").read_text().splitlines()
            self.assertTrue(lines and max(map(len, lines)) <= 80, name)


if __name__ == "__main__":
    PROGRAM, TOP = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main(verbosity=2)
