# Runs a command on a terminal of 80 columns and 24 lines, and keeps the last screen: terminal.py FILE COMMAND...
#
# The screen goes to FILE as text, without colours; how it is on its way is shown on standard error. Ends with the
# command's code. Knows what builds and `gauge` print: line ends, returns, colours, erasing of lines, and moves of the
# cursor up and down.

import fcntl
import os
import pty
import re
import struct
import sys
import termios

COLUMNS, LINES = 80, 24
PART = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b.|(\r)|(\n)|(\x08)|(\t)|([^\x1b\r\n\x08\t]+)", re.DOTALL)


class Screen:
    """The lines of a terminal, those that have scrolled away included."""

    def __init__(self):
        self.lines = [""]
        self.row = 0
        self.column = 0

    def feed(self, text):
        for part in PART.finditer(text):
            number, letter, carriage, feed, back, tab, plain = part.groups()
            if letter:
                self.control(letter, number)
            elif carriage:
                self.column = 0
            elif feed:
                self.move(1)
                self.column = 0
            elif back:
                self.column = max(0, self.column - 1)
            elif tab:
                self.write(" " * (8 - self.column % 8))
            elif plain:
                self.write(plain)

    def control(self, letter, number):
        count = int(number) if number.isdigit() else 0
        line = self.lines[self.row]
        if letter == "K":
            kept = {0: line[:self.column], 1: " " * self.column + line[self.column:], 2: ""}
            self.lines[self.row] = kept.get(count, line)
        elif letter == "J":
            self.lines[self.row] = line[:self.column]
            del self.lines[self.row + 1:]
        elif letter == "A":
            self.row = max(0, len(self.lines) - LINES, self.row - max(1, count))
        elif letter == "B":
            self.move(max(1, count))
        elif letter == "G":
            self.column = max(0, count - 1)

    def move(self, count):
        self.row += count
        while self.row >= len(self.lines):
            self.lines.append("")

    def write(self, text):
        for character in text:
            if self.column == COLUMNS:
                self.move(1)
                self.column = 0
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    @property
    def text(self):
        """The last screen: the cursor waits on an empty line below what was printed."""
        lines = [line.rstrip() for line in self.lines]
        while lines and not lines[-1]:
            lines.pop()
        return "\n".join(lines[-(LINES - 1):]) + "\n"


def run(command):
    """Runs a command on a terminal; returns its screen and its exit code."""
    child, descriptor = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", COLUMNS=str(COLUMNS), LINES=str(LINES))
        os.environ.pop("NO_COLOR", None)
        os.environ.pop("CI", None)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        try:
            os.execvp(command[0], command)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
            os._exit(127)
    screen = Screen()
    waiting = b""
    while True:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            break
        if not piece:
            break
        sys.stderr.buffer.write(piece)
        sys.stderr.flush()
        # A character or a control sequence may be cut in two.
        waiting += piece
        end = max(waiting.rfind(b"\n"), waiting.rfind(b"\r")) + 1
        screen.feed(waiting[:end].decode("utf-8", "replace"))
        waiting = waiting[end:]
    screen.feed(waiting.decode("utf-8", "replace"))
    return screen, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    shown, code = run(sys.argv[2:])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(shown.text)
    sys.exit(code if code >= 0 else 128 - code)
