"""What the benchmarks of the extensions share: rows that take turns, and a table of medians.

Whatever else the machine does is shared by all rows of a round; the ratio is that of each round, and its
median is what counts.
"""
import statistics


def measure(rows, rounds, count):
    """rows: name -> function that does `count` operations and returns seconds. The medians, in ns each."""
    times = {name: [] for name in rows}
    names = list(rows)
    for turn in range(rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            times[name].append(rows[name]() / count * 1e9)
    return times


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
