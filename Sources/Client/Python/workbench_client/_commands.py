"""Commands of Workbench as functions, made from the descriptions that the server gives."""
import difflib
import inspect
import keyword

from ._errors import WorkbenchError
from ._values import to_wire

_FLAGS = {"flag": bool, "integer": int, "number": float}


def python_name(name):
    """Returns a name of Workbench as one of Python: dashes become underscores, words of Python get one at the end."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def known(name, names):
    """Returns the end of a message about an unknown name: the nearest ones, or all."""
    near = difflib.get_close_matches(name.replace("-", "_"), names)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"


class Request:
    """A call of a command that can be sent: the parameters of the method `call`."""

    def __init__(self, description, positional, named):
        self.is_stream = description.get("stream", False)
        self.parameters = {"command": description["method"], "form": "wire"}
        options = {}
        for name, value in named.items():
            if name == "size" and description.get("picture"):
                self.parameters["size"] = _size(value)
            elif value is not None:
                options[name.rstrip("_").replace("_", "-")] = to_wire(value)
        if options:
            self.parameters["options"] = options
        if positional:
            self.parameters["arguments"] = [to_wire(value) for value in positional]


def _size(value):
    return value if isinstance(value, str) else "x".join(str(int(length)) for length in value)


class Table:
    """The commands of a server, by name."""

    def __init__(self, descriptions, is_read_only=False):
        # The end of messages about unknown commands.
        self.hint = "; this client only reads, so commands that change something are left out" if is_read_only else ""
        self.all = {description["method"]: description for description in descriptions}

    def __getitem__(self, method):
        """Returns the description of a command by its method; underscores stand for dashes."""
        description = self.all.get(method) or self.all.get(method.replace("_", "-"))
        if description is None:
            raise WorkbenchError("host.unknown-command", f"'{method}' is not a command" + self.hint,
                                 "list the commands with dir() or wb.commands()", status=2)
        return description

    def groups(self):
        """Returns the first words: plugins, and commands of one word."""
        return list(dict.fromkeys(method.partition(".")[0] for method in self.all))

    def unknown(self, group):
        """Returns the error about a word that is not a group."""
        return AttributeError(f"'{group}' is not a plugin or command; {known(group, self.groups())}")

    def names(self, group):
        """Returns the methods of a group."""
        return [method for method in self.all if method.partition(".")[0] == group and "." in method]

    def find(self, words):
        """Returns the command at the start of the words of a command line, and the remaining words."""
        for count in range(min(len(words), 6), 0, -1):
            method = words[0] + ("." + "-".join(words[1:count]) if count > 1 else "")
            if method in self.all and self.all[method].get("command", method) == " ".join(words[:count]):
                return self.all[method], words[count:]
        return self[".".join(words[:2]) if words else ""], []


def signature(description):
    """Returns the parameters of a command as Python shows them."""
    result, has_list, has_default = [], False, False
    for argument in description.get("arguments", []):
        name, is_required = python_name(argument["name"]), argument.get("required")
        has_default = has_default or not is_required
        default = None if has_default else inspect.Parameter.empty
        if argument.get("repeatable") and not has_list:
            result.append(inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL))
            has_list = True
        else:
            kind = inspect.Parameter.KEYWORD_ONLY if has_list else inspect.Parameter.POSITIONAL_OR_KEYWORD
            if has_list and is_required:
                default = inspect.Parameter.empty
            result.append(inspect.Parameter(name, kind, default=default, annotation=_annotation(argument)))
    taken = {parameter.name for parameter in result}
    for option in description.get("options", []):
        name = python_name(option["name"])
        if name not in taken:
            default = inspect.Parameter.empty if option.get("required") else option.get("default")
            result.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default,
                                            annotation=_annotation(option)))
    if description.get("picture") and "size" not in taken:
        result.append(inspect.Parameter("size", inspect.Parameter.KEYWORD_ONLY, default=None))
    result.append(inspect.Parameter("on_progress", inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(result)


def _annotation(parameter):
    return _FLAGS.get((parameter.get("kind") or {}).get("is"), str)


def documentation(description):
    """Returns the text of `help()` of a command."""
    lines = [description.get("summary", "") + ".", ""]
    for parameter in [*description.get("arguments", []), *description.get("options", [])]:
        kind = parameter.get("kind") or {}
        words = f" ({', '.join(kind['words'])})" if kind.get("is") == "choice" else ""
        unit = f" in {parameter['unit']}" if parameter.get("unit") else ""
        lines.append(f"{python_name(parameter['name'])}: {parameter.get('summary', '')}{unit}{words}")
    if description.get("picture"):
        lines.append("size: size of the picture in pixels, a pair or a text such as '800x600'")
    lines.append("on_progress: function that gets the label and the fraction, or None, of the progress")
    if description.get("stream"):
        lines += ["", "The command streams: `.stream(…)` gives its values as they are made."]
    effects = [effect for effect in description.get("effects", []) if effect != "reads"]
    if effects:
        lines += ["", f"Effects: {', '.join(effects)}."]
    return "\n".join(lines)


def function(description, run, start, stream):
    """Returns the function of a command.

    `run`, `start` and `stream` get the request and the function for progress.
    """
    def make(action):
        def command(*arguments, on_progress=None, **options):
            return action(Request(description, arguments, options), on_progress)
        return command

    command = make(run)
    command.start, command.stream = make(start), make(stream)
    for made, name in ((command, ""), (command.start, ".start"), (command.stream, ".stream")):
        made.__name__ = python_name(description["method"].rpartition(".")[2])
        made.__qualname__ = description["method"].replace("-", "_") + name
        made.__module__ = "workbench_client"
        made.__doc__ = documentation(description)
        made.__signature__ = signature(description)
    return command


class Namespace:
    """The commands of a plugin, or of a first word of Workbench's own, as functions."""

    def __init__(self, name, table, make):
        self._name, self._table, self._make = name, table, make

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        method = f"{self._name}.{name.rstrip('_').replace('_', '-')}"
        if method not in self._table.all:
            raise AttributeError(f"'{method}' is not a command{self._table.hint}; {known(name, dir(self))}")
        made = self.__dict__[name] = self._make(self._table[method])
        return made

    def __dir__(self):
        return [python_name(method.partition(".")[2]) for method in self._table.names(self._name)]

    def __call__(self, *arguments, **options):
        return self._make(self._table[self._name])(*arguments, **options)

    def __repr__(self):
        return f"<commands of {self._name}: {', '.join(dir(self))}>"
