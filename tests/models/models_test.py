#!/usr/bin/env python3
"""Every model of docs/models holds as it is, and fails with each of the faults that it names.

    models_test.py FOLDER

FOLDER has the models, *.pml. Spin makes a checker of each and of each broken variant, a C compiler compiles
it, and it goes through every state. A model that holds must have reached every one of its statements but
the one that says that it is broken: one that does nothing would hold, too. A fault must break the
promise itself, not end in a deadlock. What must hold and what must fail is read from the models' own
first comments, so that a fault that is named there is one that is tried.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

LIMIT_S = 250  # for one; all together take a few seconds on a machine that is not busy
VARIANT = re.compile(r"^ \*    ((?:-D\w+ ?)+)  +(holds)?", re.MULTILINE)
UNREACHED = re.compile(r'^\s+\S+\.pml:\d+, state \d+, ".*"$', re.MULTILINE)
SAYS_BROKEN = re.compile(r'"(?:twice|broken) = 1"')
SAYS_REWOUND = '"refused = 1"'  # where no store is put back, none is refused
STATES_MIN = 1000


def variants(text):
    """(flags, whether it must hold), from the comment at the top."""
    comment = text[:text.index("*/")]
    yield [], True
    for match in VARIANT.finditer(comment):
        yield match[1].split(), match[2] == "holds"


def unused_switches(text):
    """Names that the model asks for and its comment does not offer."""
    comment, code = text.split("*/", 1)
    asked = set(re.findall(r"(?:ifdef|ifndef|defined\()\s*(\w+)", code))
    return asked - set(re.findall(r"-D(\w+)", comment))


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout + done.stderr


def faults_of(model, flags, must_hold):
    with tempfile.TemporaryDirectory() as folder:
        # Without -o3 steps that follow each other are one, and one that is never taken is not seen.
        status, text = run(["spin", "-o3", "-a", *flags, model.resolve()], folder)
        if status != 0 or "rror" in text:
            return f"spin refuses it: {text}", 0
        status, text = run(["gcc", "-O1" if must_hold else "-O0", "-w", "-DSAFETY", "-o", "pan", "pan.c"], folder)
        if status != 0:
            return f"it does not compile: {text[:2000]}", 0
        _, text = run(["./pan", "-m100000"], folder)
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"(\d+) states, stored", text)
    if not errors or not states or "max search depth too small" in text:
        return f"it did not come to an end: {text}", 0
    count = int(states[1])
    if not must_hold:
        broken = re.search(r"assertion violated +!\( *!\( *!\((?:twice|broken)\)", text)
        return (None if broken else f"it holds, or fails for another reason: {text}"), count
    if errors[1] != "0" or "not completed" in text:
        return f"it does not hold: {text}", count
    rewound = "-DREWIND" in flags and "-DADVANCE" not in flags
    unreached = [line.strip() for line in UNREACHED.findall(text)
                 if not SAYS_BROKEN.search(line) and (rewound or SAYS_REWOUND not in line)]
    if unreached or count < STATES_MIN:
        return f"it does too little: {count} states, never reached: {unreached}", count
    return None, count


def main():
    models = sorted(pathlib.Path(sys.argv[1]).glob("*.pml"))
    assert len(models) >= 4, models
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for model in models:
            text = model.read_text(encoding="utf-8")
            of_model = list(variants(text))
            assert sum(not must_hold for _, must_hold in of_model) >= 4, f"{model}: too few faults"
            assert not unused_switches(text), f"{model}: not in its comment: {unused_switches(text)}"
            for flags, must_hold in of_model:
                jobs.append((model, flags, must_hold, pool.submit(faults_of, model, flags, must_hold)))
        for model, flags, must_hold, job in jobs:
            fault, count = job.result()
            words = " ".join([model.name, *flags])
            print(f"{'FAILED' if fault else 'holds ' if must_hold else 'broken'}  {words}: {fault or f'{count} states'}")
            failed += fault is not None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
