# Source files as the rules see them: their lines, and their code with comments and literals blanked out.

import re


class Source:
    """One text file, with paths relative to the root and with `/` between folders."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self._code = None

    @property
    def code(self):
        """The text with comments and the insides of literals replaced by spaces, line for line.

        Interpolations inside string literals are code and stay.
        """
        if self._code is None:
            self._code = blank(self.text, swift=self.path.endswith(".swift"))
        return self._code

    def line_of(self, offset):
        """The 1-based line of an offset into `text` or `code`."""
        return self.text.count("\n", 0, offset) + 1

    def head_says(self, words, count=10):
        """Whether one of the first lines is a comment `words: <reason>` with a reason."""
        mark = re.compile(r"\s*(//|#)\s*" + re.escape(words) + r": *\S+")
        return any(mark.match(line) for line in self.lines[:count])


def blank(text, swift):
    """Replaces comments and the insides of literals by spaces; `swift` chooses between Swift's and C's rules."""
    return _Blanker(text, swift).run()


class _Blanker:
    def __init__(self, text, swift):
        self.text = text
        self.swift = swift
        self.out = []
        self.at = 0

    def run(self):
        self.code(closing=None)
        return "".join(self.out)

    def keep(self, count=1):
        self.out.append(self.text[self.at:self.at + count])
        self.at += count

    def drop(self, count=1):
        part = self.text[self.at:self.at + count]
        self.out.append("".join(c if c == "\n" else " " for c in part))
        self.at += count

    def starts(self, prefix):
        return self.text.startswith(prefix, self.at)

    def code(self, closing):
        """Reads code up to the parenthesis that closes an interpolation, or up to the end."""
        depth = 0
        while self.at < len(self.text):
            if self.starts("//"):
                end = self.text.find("\n", self.at)
                self.drop((len(self.text) if end < 0 else end) - self.at)
            elif self.starts("/*"):
                self.block_comment()
            elif self.literal():
                pass
            else:
                here = self.text[self.at]
                if closing:
                    if here == "(":
                        depth += 1
                    elif here == ")":
                        if depth == 0:
                            self.keep()
                            return
                        depth -= 1
                self.keep()

    def block_comment(self):
        depth = 0
        while self.at < len(self.text):
            if self.starts("*/"):
                self.drop(2)
                depth -= 1
                if depth == 0:
                    return
            elif self.starts("/*") and (self.swift or depth == 0):
                self.drop(2)
                depth += 1
            else:
                self.drop()

    def literal(self):
        """Reads a string, character or regex literal, if one begins here."""
        if not self.swift:
            if self.text[self.at] in "\"'":
                self.string(self.text[self.at], pounds="", lines=False)
                return True
            return False
        opening = re.compile(r'(#*)("""|")|(#+)/').match(self.text, self.at)
        if opening and opening[2]:
            self.keep(len(opening[1]))
            self.string(opening[2], pounds=opening[1], lines=opening[2] == '"""')
            return True
        if opening:
            self.keep(len(opening[0]))
            end = self.text.find("/" + opening[3], self.at)
            self.drop((len(self.text) if end < 0 else end) - self.at)
            return True
        return self.bare_regex()

    def string(self, quote, pounds, lines):
        escape = "\\" + pounds
        self.keep(len(quote))
        while self.at < len(self.text):
            if self.starts(quote + pounds):
                self.keep(len(quote + pounds))
                return
            if self.swift and self.starts(escape + "("):
                self.drop(len(escape))
                self.keep()
                self.code(closing=")")
            elif self.starts(escape):
                self.drop(len(escape) + 1)
            elif self.text[self.at] == "\n" and not lines:
                return
            else:
                self.drop()

    def bare_regex(self):
        """Reads `/.../` on one line, where only an operand can stand."""
        if self.text[self.at] != "/":
            return False
        before = self.text[:self.at].rstrip(" ")[-6:]
        if before and before[-1] not in "(,=:[{!&|?;\n" and before != "return":
            return False
        regex = re.compile(r"/(?![\s/*])(\\.|[^\\/\n])*/").match(self.text, self.at)
        if not regex:
            return False
        self.keep()
        self.drop(len(regex[0]) - 2)
        self.keep()
        return True
