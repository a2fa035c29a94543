"""The manifests for Kubernetes: their form, that their parts belong together, and that our program takes what
they give it. There is no cluster here: what the API server would say of a field is not known.

    manifests_test.py PROGRAM FOLDER
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

PROGRAM = FOLDER = None
VERSIONS = {"ConfigMap": "v1", "Service": "v1", "Deployment": "apps/v1", "PodDisruptionBudget": "policy/v1"}


class UniqueKeys(yaml.SafeLoader):
    """A key that stands twice is a mistake that YAML passes over."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise yaml.YAMLError(f"a key twice in {keys}")
        return super().construct_mapping(node, deep)


class Manifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = []
        for path in sorted(FOLDER.glob("*.yaml")):
            cls.all += list(yaml.load_all(path.read_text(), UniqueKeys))
        cls.deployment, = (one for one in cls.all if one["kind"] == "Deployment")
        cls.pod = cls.deployment["spec"]["template"]
        cls.container, = cls.pod["spec"]["containers"]

    def test_every_object_is_one_that_there_is(self):
        self.assertGreaterEqual(len(self.all), 5)
        for one in self.all:
            self.assertEqual(VERSIONS.get(one["kind"]), one["apiVersion"], one)
            self.assertRegex(one["metadata"]["name"], r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")
            self.assertLessEqual(set(one), {"apiVersion", "kind", "metadata", "spec", "data"})
        names = [(one["kind"], one["metadata"]["name"]) for one in self.all]
        self.assertEqual(len(names), len(set(names)))

    def test_selectors_find_the_pods(self):
        labels = self.pod["metadata"]["labels"]
        for one in self.all:
            if one["kind"] == "ConfigMap":
                continue
            selector = one["spec"]["selector"]
            selector = selector.get("matchLabels", selector)
            self.assertTrue(selector)
            self.assertLessEqual(selector.items(), labels.items(), one["metadata"]["name"])

    def test_ports_are_those_that_we_listen_on(self):
        ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}
        listens = yaml.safe_load(self.config())["listen"]
        self.assertEqual(ports, {name: int(place.rsplit(":", 1)[1]) for name, place in listens.items()})
        for service in (one for one in self.all if one["kind"] == "Service"):
            for port in service["spec"]["ports"]:
                self.assertIn(port["targetPort"], ports)
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            self.assertIn(self.container[probe]["httpGet"]["port"], ports)

    def test_no_key_leaves_by_the_public_service(self):
        public, = (one for one in self.all if one["kind"] == "Service" and one["metadata"]["name"] == "tessera")
        self.assertEqual([port["targetPort"] for port in public["spec"]["ports"]], ["public"])

    def test_probes_ask_what_they_should(self):
        self.assertEqual(self.container["readinessProbe"]["httpGet"]["path"], "/readyz")
        self.assertEqual(self.container["livenessProbe"]["httpGet"]["path"], "/healthz")

    def test_what_is_mounted_is_there(self):
        volumes = {volume["name"]: volume for volume in self.pod["spec"]["volumes"]}
        mounts = {mount["name"] for mount in self.container["volumeMounts"]}
        self.assertEqual(set(volumes), mounts)
        maps = {one["metadata"]["name"] for one in self.all if one["kind"] == "ConfigMap"}
        self.assertIn(volumes["config"]["configMap"]["name"], maps)

    def test_a_request_has_time_to_end(self):
        grace = int(re.search(r"--grace=(\d+)", " ".join(self.container["args"]))[1])
        waits = int(self.container["lifecycle"]["preStop"]["exec"]["command"][1])
        self.assertGreater(self.pod["spec"]["terminationGracePeriodSeconds"], grace + waits)
        update = self.deployment["spec"]["strategy"]["rollingUpdate"]
        self.assertEqual(update["maxUnavailable"], 0)

    def test_it_has_no_right_that_it_does_not_need(self):
        self.assertIs(self.pod["spec"]["securityContext"]["runAsNonRoot"], True)
        self.assertIs(self.pod["spec"]["automountServiceAccountToken"], False)
        rights = self.container["securityContext"]
        self.assertIs(rights["allowPrivilegeEscalation"], False)
        self.assertIs(rights["readOnlyRootFilesystem"], True)
        self.assertEqual(rights["capabilities"], {"drop": ["ALL"]})

    def test_our_program_takes_what_it_is_given(self):
        self.assertEqual(self.container["command"], ["tessera", "serve"])
        known = subprocess.run([PROGRAM, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for flag in self.container["args"]:
            self.assertIn(flag.split("=")[0] + " ", known)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tessera.yaml"
            file.write_text(self.config())
            got = subprocess.run([PROGRAM, "config", "check", file], capture_output=True, text=True)
            self.assertEqual(got.returncode, 0, got.stdout + got.stderr)

    def config(self):
        config, = (one for one in self.all if one["kind"] == "ConfigMap")
        return config["data"]["tessera.yaml"]


if __name__ == "__main__":
    PROGRAM, FOLDER = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main(verbosity=2)
