"""The magics `%wb` and `%%wb` of IPython: a command line of Workbench in a notebook, with a result to work with.

    %wb molecules info 1crn
    %wb fluxes << pathcase fba model.xml
    fluxes.to_pandas()
"""
import atexit
import html
import re
import shlex

from . import _commands
from ._client import Workbench
from ._errors import WorkbenchError

_ASSIGNMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*<<\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"-\.?\d")
_own = None


def load(shell):
    """Registers the magics."""
    def wb(line, cell=None):
        return run(shell, line, cell)
    wb.__doc__ = __doc__
    shell.register_magic_function(wb, "line_cell", "wb")
    atexit.register(unload)


def unload():
    """Ends the Workbench that the magics have started."""
    global _own
    if _own is not None:
        _own.close()
        _own = None


def workbench(shell):
    """Returns the notebook's variable `wb` if it is a Workbench, or one that is started at the first use."""
    global _own
    own = shell.user_ns.get("wb")
    if isinstance(own, Workbench) and not own.is_closed:
        return own
    if _own is None or _own.is_closed:
        _own = Workbench()
    return _own


def run(shell, line, cell=None):
    """Runs the command of a line, or those of a cell, and returns the last result, or assigns it."""
    name = None
    assignment = _ASSIGNMENT.fullmatch(line)
    if assignment:
        name, line = assignment.groups()
    lines = [line] if line.strip() else []
    if cell is not None:
        lines += commands(cell)
    if not lines:
        return None
    result = None
    for index, text in enumerate(lines):
        own = None
        if cell is not None and (inner := _ASSIGNMENT.fullmatch(text)):
            own, text = inner.groups()
        try:
            result = call(workbench(shell), text)
        except WorkbenchError as error:
            # The place in this file helps nobody.
            error._render_traceback_ = lambda error=error: [f"{type(error).__name__}: {error}"]
            raise
        if own:
            shell.user_ns[own] = result
            result = None
        elif index < len(lines) - 1 and result is not None:
            _display(result)
    if name is None:
        return result
    shell.user_ns[name] = result
    return None


def commands(cell):
    """Returns the command lines of a cell: without comments, and with continued lines joined."""
    lines = cell.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def call(workbench, line):
    """Runs a command line."""
    words = shlex.split(line)
    if words[:1] == ["workbench"]:
        words = words[1:]
    description, words = workbench.command_table.find(words)
    arguments, options = parse(description, words)
    with _Progress() as progress:
        return workbench.call(description["method"], *arguments, on_progress=progress, **options)


def parse(description, words):
    """Returns the positional arguments and the options of a command line."""
    known = {option["name"]: option for option in description.get("options", [])}
    if description.get("picture"):
        known.setdefault("size", {"name": "size"})
    arguments, options = [], {}
    words = iter(words)
    for word in words:
        if word == "--":
            arguments += words
        elif not word.startswith("-") or word == "-" or _NUMBER.match(word):
            arguments.append(word)
        else:
            name, has_value, value = word.lstrip("-").partition("=")
            option = known.get(name)
            if option is None:
                names = ", ".join(f"--{name}" for name in known) or "none"
                raise WorkbenchError("host.unknown-option", f"'{word}' is not an option of the command",
                                     f"there are {names}", status=2)
            if (option.get("kind") or {}).get("is") == "flag":
                value = value.lower() not in ("no", "false", "off", "0") if has_value else True
            elif not has_value:
                value = next(words, None)
                if value is None:
                    raise WorkbenchError("host.missing-value", f"'{word}' needs a value", status=2)
            if option.get("repeatable"):
                options.setdefault(name, []).append(value)
            else:
                options[name] = value
    return arguments, {_commands.python_name(name): value for name, value in options.items()}


def _display(value):
    from IPython.display import display
    display(value)


class _Progress:
    """The progress of a call as a bar that is there while it runs."""

    def __init__(self):
        self._bar = None

    def __enter__(self):
        return self

    def __call__(self, label, fraction):
        from IPython.display import HTML, display
        value = "" if fraction is None else f" value='{float(fraction):.3f}'"
        shown = HTML(f"<progress max='1'{value}></progress> {html.escape(str(label))}")
        if self._bar is None:
            self._bar = display(shown, display_id=True)
        else:
            self._bar.update(shown)

    def __exit__(self, *_):
        if self._bar is not None:
            from IPython.display import HTML
            self._bar.update(HTML(""))
