#!/usr/bin/env python3
"""Marks the comments of a header that are about a declaration, so that Doxygen takes them for its own.

    cpp_comments.py HEADER        prints it; every line stays where it was

    // Words                      directly above a declaration: documents it
    int a;  // words              documents what is before it
    // The first comment          of the file: documents the file

Words stay as they are, in \\verbatim: our comments are plain text, in which @, \\ and < are what they look like.
Comments in C, as in c.h, likewise.
"""
import pathlib
import re
import sys

# What no comment is about, though one may stand above it.
NOT_DECLARED = re.compile(r"\s*(?:$|#|\}|//|/\*|namespace\b|public:|private:|protected:|static_assert\b|friend class\b|return\b|if\b|for\b)")
WHOLE_LINE = re.compile(r"(\s*)// ?(.*)$")
BEHIND = re.compile(r"(.*?[;,{}(\w])(\s+)// (.*)$")
BEHIND_C = re.compile(r"(.*\S)(\s+)/\* (.*) \*/$")


def marked(words, front, first, last):
    """The lines of one comment: `first` opens it, `last` closes it."""
    lines = [f"{front}{word}" for word in words]
    lines[0] = f"{first}\\verbatim {words[0]}"
    lines[-1] += f" \\endverbatim{last}"
    return lines


def document(lines):
    out, i, is_head = [], 0, True
    while i < len(lines):
        line = lines[i]
        end = i
        if WHOLE_LINE.match(line):  # a block of them
            while end < len(lines) and WHOLE_LINE.match(lines[end]):
                end += 1
            indent = WHOLE_LINE.match(line)[1]
            words = [WHOLE_LINE.match(one)[2] for one in lines[i:end]]
            if is_head and out and out[-1] == "":
                out[-1] = "/// \\file"
                out += marked(words, "/// ", "/// ", "")
            elif end < len(lines) and not NOT_DECLARED.match(lines[end]):
                out += marked(words, f"{indent}/// ", f"{indent}/// ", "")
            else:
                out += lines[i:end]
            is_head = False
        elif re.match(r"\s*/\* ", line):
            while "*/" not in lines[end]:
                end += 1
            end += 1
            words = [re.sub(r"^\s*(?:/\*|\*(?!/)) ?|\s*\*/$", "", one) for one in lines[i:end]]
            if is_head:
                out += marked(words, "", "/** ", " \\file */")
            elif end < len(lines) and not NOT_DECLARED.match(lines[end]):
                out += marked(words, "", "/** ", " */")
            else:
                out += lines[i:end]
            is_head = False
        else:
            end = i + 1
            behind, behind_c = BEHIND.match(line), BEHIND_C.match(line)
            if behind and "://" not in behind[1] and not line.lstrip().startswith(("}", "#", "namespace")):
                line = f"{behind[1]}{behind[2]}///< \\verbatim {behind[3]} \\endverbatim"
            elif behind_c and not line.lstrip().startswith("#"):
                line = f"{behind_c[1]}{behind_c[2]}/**< \\verbatim {behind_c[3]} \\endverbatim */"
            out.append(line)
        i = end
    return out


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    made = document(lines)
    foreign = re.search(r"^struct (\w+)::\w+<", "\n".join(lines), re.M)
    if foreign and made[0] == "#pragma once":  # Doxygen wants to have seen whose template it is
        made[0] = f"namespace {foreign[1]} {{}}"
    if len(made) != len(lines):
        sys.exit(f"cpp_comments: {sys.argv[1]} has got {len(made)} lines of {len(lines)}")
    print("\n".join(made))


if __name__ == "__main__":
    main()
