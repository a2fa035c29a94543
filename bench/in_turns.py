"""What the benchmarks of whole programs share: contenders that take turns, a table of medians, and rows of raw.csv.

Whatever else the machine does is shared by all of a round; the ratio is that of each round, and its median is what
counts. A round before the first warms everything up, and is not counted.
"""
import statistics


def rounds_of(contenders, rounds):
    """contenders: name -> function that returns a figure. {name: [of each round]}; the order turns with each round."""
    figures = {name: [] for name in contenders}
    names = list(contenders)
    if rounds > 1:
        for name in names:
            contenders[name]()
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            figures[name].append(contenders[name]())
    return figures


def measure(contenders, rounds, count):
    """name -> function that does `count` operations and returns seconds. The times in ns each."""
    seconds = rounds_of(contenders, rounds)
    return {name: [value / count * 1e9 for value in values] for name, values in seconds.items()}


def record(out, case, figures, roles, unit="ns", axis="", at=""):
    """Rows of raw.csv. `roles` says what those are that are not ours: peer, floor, lacks …"""
    for name, values in figures.items():
        out.add(case, name, values, unit, "ours" if "tessera" in name else roles[name], axis, at)


def print_table(title, times, peer, floor=None, goals=None):
    """One line for each row: ns, ns without the floor, and the ratio to the peer in the same round."""
    print(title)
    print(f"  {'':38} {'ns':>9} {'net':>8}  ratio to {peer}")
    for name, column in times.items():
        ratio = statistics.median(own / other for own, other in zip(column, times[peer]))
        net = statistics.median(own - other for own, other in zip(column, times[floor])) if floor else 0
        goal = (goals or {}).get(name)
        wanted = f"   wanted below {goal}" + ("" if ratio < goal else "   MISSED") if goal else ""
        print(f"  {name:38} {statistics.median(column):9,.0f} {net:8,.0f}  {ratio:6.2f}{wanted}", flush=True)
