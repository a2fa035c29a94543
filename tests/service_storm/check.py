"""Judges the logs of a storm. Knows nothing of the service: only what its clients were told.

    check.py FOLDER [CREATIONS]

Exits 0 if all promises hold, 1 if one is broken, and 2 if the logs are too few to say: fewer CREATIONS, no
retirement, no number, or a client that did not come to its end.
"""

import collections
import json
import pathlib
import sys

NEVER = float("inf")


def check(events):
    """What is broken, as lines, and how much of everything there was."""
    broken, count = [], collections.Counter()
    created, retired, begun, final = {}, {}, {}, {}
    by_key = collections.defaultdict(set)
    ids = collections.Counter()
    ranges = collections.defaultdict(list)
    for event in events:
        what = event["what"]
        count[what] += 1
        if what == "create":
            created[event["path"]] = min(event["at"], created.get(event["path"], NEVER))
            by_key[event["tenant"], event["path"].rsplit("/", 1)[0], event["key"], event["count"]].add(event["id"])
        elif what == "retire":
            retired[event["path"]] = min(event["at"], retired.get(event["path"], NEVER))
        elif what == "retire_begun":
            begun[event["path"]] = min(event["at"], begun.get(event["path"], NEVER))
        elif what == "ids":
            ids.update(event["ids"])
        elif what == "range":
            ranges[event["scope"]].append((event["first"], event["end"]))
        elif what == "final":
            final[event["path"]] = event["status"]
        elif what == "odd":
            broken.append(f"an answer that nobody promised: {event['status']} {event['body']}")
        elif what == "verify" and event["exit"] != 0:
            broken.append(f"tessera registry verify: {event['said']}")

    for (tenant, path, key, wanted), given in by_key.items():
        if len(given) > wanted:
            broken.append(f"a key gave two answers: {tenant} {path} {key}: {sorted(given)[:7]}")
    for path in created:
        ids[path.rsplit("/", 1)[1]] += 1
    for text, times in ids.items():
        if times > 1:
            broken.append(f"an ID was given {times} times: {text}")
    for scope, given in ranges.items():
        given.sort()
        for (first, end), (next_first, next_end) in zip(given, given[1:]):
            if next_first < end:
                broken.append(f"numbers of {scope} were given twice: {first}..{end - 1} and {next_first}..{next_end - 1}")

    def moment(table, path):
        """When it, or what it is in, first stood in a table."""
        while path.count("/") > 3:
            if path in table:
                return min(table[path], moment(table, path.rsplit("/", 2)[0]))
            path = path.rsplit("/", 2)[0]
        return NEVER

    for path in created:
        status = final.get(path)
        if moment(retired, path) < NEVER:
            if status != 410:
                broken.append(f"an acknowledged retirement did not stay: {path} is {status}")
        elif status == 410 and moment(begun, path) == NEVER:
            broken.append(f"nobody retired it, and it has ended: {path}")
        elif status not in (200, 410):
            broken.append(f"an acknowledged creation is not there: {path} is {status}")
    for event in events:
        if event["what"] != "look":
            continue
        path, at = event["path"], event["at"]
        if event["status"] == 404 and created.get(path, NEVER) < at:
            broken.append(f"was said to be never issued, after it was: {path}")
        if event["status"] == 200 and moment(retired, path) < at:
            broken.append(f"was said to live, after it ended: {path}")
    return broken, count


def read(folder):
    for path in sorted(pathlib.Path(folder).glob("*.log")):
        for line in path.read_bytes().split(b"\n"):
            if line:
                yield json.loads(line)


def main():
    events = list(read(sys.argv[1]))
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    broken, count = check(events)
    for line in broken[:20]:
        print(f"broken: {line}")
    print(f"{count['create']} creations, {count['retire']} retirements, {count['look']} questions, "
          f"{count['ids']} lists of IDs, {count['range']} ranges of numbers, {count['kill']} kills: "
          f"{len(broken)} broken")
    if broken:
        return 1
    enough = (count["create"] >= wanted and count["retire"] and count["range"] and count["ids"] and count["kill"]
              and count["over"] == count["worker"] and count["verify"])
    return 0 if enough else 2


if __name__ == "__main__":
    sys.exit(main())
