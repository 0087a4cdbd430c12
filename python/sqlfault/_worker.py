"""One grading process."""

import json
import subprocess
import tempfile
import threading


class WorkerDied(Exception):
    """The process ended without an answer; the message says how."""


class Worker:
    """A `sqlfault score RUN --stdin` process. One thread uses it at a time."""

    def __init__(self, command, timeout):
        self._timeout = timeout
        # A pipe that nobody reads would block the process once it is full.
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )

    @property
    def pid(self):
        return self._process.pid

    def ask(self, request):
        """The reply to one line of JSON. Raises WorkerDied when the process ends, or is ended for its slowness."""
        timer = threading.Timer(self._timeout, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            raise WorkerDied(self._last_words())
        return json.loads(line)

    def close(self):
        """Ends the process and waits for it."""
        for stream in (self._process.stdin, self._process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _last_words(self):
        self._process.kill()
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        self.close()
        return f"sqlfault ended with code {code}" + (f": {said}" if said else "")
