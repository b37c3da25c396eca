# Runs a command on a terminal, types keys, and keeps what the screen shows: record.py FOLDER STEP... -- COMMAND...
#
# A step is one of
#   wait:TEXT   waits until the screen shows a text
#   shot:NAME   keeps the screen in FOLDER/NAME.txt
#   key:KEY     types enter, left, up, down, or a character
# Ends with the command's code, or with 1 if a text did not come in a minute.

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

COLUMNS, LINES = 80, 16
KEYS = {"enter": "\r", "left": "\x1b[D", "up": "\x1b[A", "down": "\x1b[B"}
PART = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b.|(\r)|(\n)|([^\x1b\r\n]+)", re.DOTALL)


class Screen:
    """The lines of a terminal that a program draws from the first one on, each over the former."""

    def __init__(self):
        self.lines = [""] * LINES
        self.row = self.column = 0

    def feed(self, text):
        for part in PART.finditer(text):
            number, letter, carriage, feed, plain = part.groups()
            if letter == "H":
                self.row = self.column = 0
            elif letter == "K":
                self.lines[self.row] = self.lines[self.row][:self.column]
            elif letter == "J":
                self.lines[self.row] = self.lines[self.row][:self.column]
                self.lines[self.row + 1:] = [""] * (LINES - self.row - 1)
            elif carriage:
                self.column = 0
            elif feed:
                self.row = min(LINES - 1, self.row + 1)
            elif plain:
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[:self.column] + plain + line[self.column + len(plain):]
                self.column += len(plain)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.lines).rstrip() + "\n"


class Recording:
    """A command on a terminal."""

    def __init__(self, command):
        self.child, self.descriptor = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execvp(command[0], command)
        self.screen, self.waiting, self.has_ended = Screen(), b"", False

    def read(self, seconds):
        """Takes what comes within a time; returns whether a whole frame has."""
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            piece = os.read(self.descriptor, 65536)
        except OSError:
            piece = b""
        if not piece:
            self.has_ended = True
            return True
        self.waiting += piece
        # A frame ends with what erases the rest of the screen.
        end = self.waiting.rfind(b"\x1b[J") + 3
        if end < 3:
            return False
        self.screen.feed(self.waiting[:end].decode("utf-8", "replace"))
        self.waiting = self.waiting[end:]
        return True

    def wait(self, text):
        limit = time.monotonic() + 60
        while text not in self.screen.text:
            self.read(1)
            if self.has_ended or time.monotonic() > limit:
                sys.stderr.write(self.screen.text + self.waiting.decode("utf-8", "replace"))
                sys.exit(f"record.py: the screen does not show: {text}")

    def key(self, name):
        os.write(self.descriptor, KEYS.get(name, name).encode())
        while not self.read(5) and not self.has_ended:
            pass

    def end(self):
        while not self.has_ended:
            self.read(5)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def main():
    folder, rest = sys.argv[1], sys.argv[2:]
    steps, command = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    recording = Recording(command)
    for step in steps:
        kind, _, word = step.partition(":")
        if kind == "wait":
            recording.wait(word)
        elif kind == "key":
            recording.key(word)
        else:
            with open(f"{folder}/{word}.txt", "w", encoding="utf-8") as file:
                file.write(recording.screen.text)
    sys.exit(recording.end())


main()
