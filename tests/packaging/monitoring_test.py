#!/usr/bin/env python3
"""Alerts and dashboard: each name and label in them is one that the service has.

    monitoring_test.py PROGRAM PACKAGING SERVICE_SOURCES

A real service is started and asked for /metrics after a request of each sort. What only shows after
a failure of the store (tessera_store_errors_total) is looked up in the sources.
"""
import json
import pathlib
import re
import sys
import unittest

import redis
import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "service"))
from service import Service  # noqa: E402

PROGRAM = PACKAGING = SOURCES = None
FROM_PROMETHEUS = {"up": {"job", "instance"}}
ADDED = {"job", "instance", "le"}  # by Prometheus, or of a histogram


def spoken(text):
    """{series: its labels} of what /metrics says."""
    series = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", text, re.M):
        series.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return series


def used(expression):
    """[(series, labels)] of an expression: what stands before [ or {, or alone; and what it is grouped by."""
    text = re.sub(r"\$__\w+|\$\w+", "1h", expression)
    names = re.findall(r"\b(tessera_\w+|up)\b(?:\{([^}]*)\})?", text)
    grouped = {label for group in re.findall(r"\bby \(([^)]*)\)", text) for label in re.split(r",\s*", group)}
    return [(name, set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", labels)) | grouped) for name, labels in names]


def is_balanced(expression):
    depth = 0
    for character in re.sub(r'"[^"]*"', "", expression):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


class Monitoring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Service(PROGRAM) as service:
            service.get("/v1/ids/01ARYZ6S41TSV4RRFFQ69G5FAV")
            service.get("/v1/ids/not-an-id/at-all")
            service.get("/v1/nothing")
            cls.redis(service)
            cls.text = service.get("/metrics", listener="internal").text
        cls.series = {**spoken(cls.text), **FROM_PROMETHEUS}
        for path in sorted(SOURCES.glob("*.cpp")):
            text = re.sub(r"\s+", " ", path.read_text())
            for name, more in re.findall(r'counter\( ?"(tessera_\w+)", "[^"]*", \{(.*?)\}\)', text):
                cls.series.setdefault(name, set(re.findall(r'\{"(\w+)",', more)))

    @staticmethod
    def redis(service):
        client = redis.Redis(port=service.ports["redis"])
        client.incr("ORDER")
        client.close()

    def assert_known(self, where, expression):
        self.assertTrue(is_balanced(expression), f"{where}: {expression}")
        found = used(expression)
        self.assertTrue(found, f"{where}: no series in {expression}")
        for name, labels in found:
            self.assertIn(name, self.series, f"{where}: the service has no {name}")
            self.assertLessEqual(labels - ADDED, self.series[name], f"{where}: labels of {name}")

    def test_the_service_says_what_we_think_it_does(self):
        self.assertGreater(len([name for name in self.series if name.startswith("tessera_scope_")]), 5, self.text)
        self.assertIn("le", self.series["tessera_request_seconds_bucket"])

    def test_an_unknown_name_or_label_is_found(self):
        for expression in ['tessera_nothing > 0', 'tessera_connections{colour="red"}', 'sum(rate(up[5m])',
                           'sum by (flavour) (tessera_connections)']:
            with self.subTest(expression), self.assertRaises(AssertionError):
                self.assert_known("here", expression)

    def test_alerts(self):
        document = yaml.safe_load((PACKAGING / "monitoring/alerts.yaml").read_text())
        rules = [rule for group in document["groups"] for rule in group["rules"]]
        self.assertEqual(len({rule["alert"] for rule in rules}), len(rules))
        self.assertGreaterEqual(len(rules), 5)
        for rule in rules:
            self.assertEqual(set(rule), {"alert", "expr", "for", "labels", "annotations"}, rule["alert"])
            self.assertIn(rule["labels"]["severity"], ("page", "ticket"))
            self.assertEqual(set(rule["annotations"]), {"summary", "description"})
            self.assertRegex(rule["for"], r"^\d+[smh]$")
            self.assert_known(rule["alert"], rule["expr"])
            labels = set().union(*(self.series[name] for name, _ in used(rule["expr"]))) | ADDED
            for text in rule["annotations"].values():
                self.assertLessEqual(set(re.findall(r"\$labels\.(\w+)", text)), labels, rule["alert"])

    def test_dashboard(self):
        board = json.loads((PACKAGING / "monitoring/grafana-dashboard.json").read_text())
        self.assertLessEqual({"title", "uid", "schemaVersion", "panels", "templating", "time"}, set(board))
        panels, variables = board["panels"], {one["name"] for one in board["templating"]["list"]}
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        cells = [(x, y) for panel in panels for place in [panel["gridPos"]]
                 for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(set(cells)), len(cells), "panels lie on each other")
        self.assertLess(max(x for x, _ in cells), 24)
        shown = set()
        for panel in panels:
            for target in panel["targets"]:
                self.assert_known(panel["title"], target["expr"])
                shown |= {re.sub(r"_(bucket|sum|count)$", "", name) for name, _ in used(target["expr"])}
                for variable in re.findall(r"\$(?!__)(\w+)", target["expr"]):
                    self.assertIn(variable, variables, panel["title"])
        families = set(re.findall(r"^# TYPE (\w+) ", self.text, re.M))
        self.assertLessEqual(families - shown, {"tessera_scope_drawn_total"}, "what no panel shows")


if __name__ == "__main__":
    PROGRAM, PACKAGING, SOURCES = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))
    unittest.main(verbosity=2)
