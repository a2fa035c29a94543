"""Says whether values were handed out in one order. Knows nothing of how they are made.

A history is, for each connection, a list of (begin, value, end): the value, and the time just before and
just after it was asked for, by one clock for all.

    within a connection   each value is above the one before
    over all              no value comes twice; a value whose question came after another's answer is above it
"""


def violations(histories):
    """Texts, one for each kind of violation that was found; none if all is well."""
    found = []
    inside = sum(1 for history in histories for before, after in zip(history, history[1:]) if not before[1] < after[1])
    if inside:
        found.append(f"{inside} not above the one before, in one connection")
    for history in histories:
        if any(begin > end for begin, _, end in history) or any(a[2] > b[0] for a, b in zip(history, history[1:])):
            found.append("the clock of the test stepped back: nothing is proved")
            break
    everything = sorted((value, begin, end) for history in histories for begin, value, end in history)
    twice = sum(1 for a, b in zip(everything, everything[1:]) if a[0] == b[0])
    if twice:
        found.append(f"{twice} handed out twice")
    # In the order of values: whoever ended before a smaller one began should have been smaller.
    across, latest_begin = 0, float("-inf")
    for value, begin, end in everything:
        across += end < latest_begin
        latest_begin = max(latest_begin, begin)
    if across:
        found.append(f"{across} below a value that was known before they were asked for")
    return found
