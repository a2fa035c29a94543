"""Logs that are wrong in one way each, and one that is not.

    check_test.py
"""

import unittest

from check import check

PATH = "/v1/tenants/acme/stores/sto_1"
CHILD = PATH + "/products/prd_1"


def create(path=PATH, key="k", at=1, count=1):
    return {"what": "create", "tenant": "acme", "key": key, "count": count, "id": path.rsplit("/", 1)[1], "path": path,
            "at": at}


def retire(path=PATH, at=2):
    return {"what": "retire", "path": path, "at": at}


def look(status, path=PATH, at=3):
    return {"what": "look", "path": path, "status": status, "at": at}


def final(status, path=PATH):
    return {"what": "final", "path": path, "status": status}


def numbers(first, end):
    return {"what": "range", "scope": "S", "first": first, "end": end}


class Check(unittest.TestCase):
    def broken(self, *events):
        return check(list(events))[0]

    def test_what_holds_is_not_broken(self):
        self.assertEqual(self.broken(
            create(), create(), look(200, at=1.5), create(CHILD, "c"), look(410, at=0.5), look(404, at=0.5),
            {"what": "retire_begun", "path": PATH, "at": 2}, retire(at=2), look(410, CHILD), final(410),
            final(410, CHILD), numbers(1, 5), numbers(5, 6), numbers(9, 10),
            {"what": "ids", "ids": ["a", "b"]}, {"what": "ids", "ids": ["c"]},
            *[create(PATH[:-1] + str(i), "five", count=5) for i in range(2, 7)],
            *[final(200, PATH[:-1] + str(i)) for i in range(2, 7)],
            {"what": "verify", "exit": 0, "said": ""}), [])

    def test_a_retirement_without_an_answer_may_have_happened(self):
        for status in (200, 410):
            self.assertEqual(
                self.broken(create(), {"what": "retire_begun", "path": PATH, "at": 2}, final(status)), [])

    def test_each_breach_is_found(self):
        cases = {
            "is not there": [create(), final(404)],
            "is None": [create()],
            "did not stay": [create(), retire(), final(200)],
            "sto_1/products": [create(CHILD), retire(PATH), final(200, CHILD)],
            "nobody retired it": [create(), final(410)],
            "never issued, after it was": [create(at=1), look(404, at=2), final(200)],
            "to live, after": [create(), retire(at=2), look(200, at=3), final(410)],
            "two answers": [create(), create(PATH + "2"), final(200), final(200, PATH + "2")],
            "2 times": [{"what": "ids", "ids": ["a"]}, {"what": "ids", "ids": ["a"]}],
            "given twice: 1..4 and 4..5": [numbers(1, 5), numbers(4, 6)],
            "given twice: 1..9 and 3..3": [numbers(3, 4), numbers(1, 10)],
            "nobody promised": [{"what": "odd", "status": 418, "body": "tea"}],
            "registry verify": [{"what": "verify", "exit": 1, "said": "2 faults"}],
        }
        for words, events in cases.items():
            with self.subTest(words):
                found = self.broken(*events)
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
