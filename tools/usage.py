"""How the tools of this folder take their arguments. What --help shows is the head of the tool.

    (root,), flags = usage.arguments(__doc__, "ROOT", flags={"--bless"})
"""
import sys


def arguments(head, names, flags=frozenset()):
    """The words of the command line, and those of `flags` among them.

    `names` says how many there are, as a head does: "FILE [OPTION...]". Asked for help this prints the head, and
    where the words do not fit, or one begins like an option that nobody knows, it says so with exit code 2.
    """
    words = sys.argv[1:]
    required = [name for name in names.split() if not name.startswith("[")]
    endless = names.endswith(("...", "...]"))
    known = len(names.split()) - endless
    if {"-h", "--help"} & set(words[:known or 1]):
        print(head.strip())
        sys.exit(0)
    given = {word for word in words if word in flags}
    rest = [word for word in words if word not in flags]
    if len(rest) < len(required) or not endless and len(rest) > known or any(word.startswith("-") for word in rest[:known]):
        print(head.strip(), file=sys.stderr)
        sys.exit(2)
    return rest, given
