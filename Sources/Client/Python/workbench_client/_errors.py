"""Errors and warnings of the client."""


class WorkbenchError(Exception):
    """An error as Workbench reports it.

    `code` is stable, such as `molecules.unknown-molecule`; `message` is a sentence, `advice` what to do or None,
    `details` a dictionary, `retryable` true if the same call may succeed later, `status` the exit status that the
    command line would have.
    """

    def __init__(self, code, message, advice=None, details=None, retryable=False, status=1):
        super().__init__(message)
        self.code, self.message, self.advice = code, message, advice
        self.details, self.retryable, self.status = details or {}, retryable, status

    def __str__(self):
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.message}{advice} ({self.code})"

    def __reduce__(self):
        return type(self), (self.code, self.message, self.advice, self.details, self.retryable, self.status)

    @classmethod
    def _of(cls, error):
        """Returns the exception of an error of JSON-RPC."""
        data = error.get("data") if isinstance(error.get("data"), dict) else {}
        kind = Canceled if error.get("code") == -32800 else WorkbenchError
        return kind(str(data.get("code", "host.failure")), str(data.get("message", error.get("message", ""))),
                    data.get("advice"), data.get("details"), bool(data.get("retryable")), data.get("status", 1))


class Canceled(WorkbenchError):
    """The error of a call that was canceled."""


class ServerEnded(WorkbenchError):
    """The error of calls whose server has ended, or sent something that is not a message."""


class WorkbenchWarning(UserWarning):
    """Something that a command noticed; its text ends with the code."""
