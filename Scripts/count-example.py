"""Prints the lines and concepts of one tool, written for Workbench in Swift and Python, and with Textual.

Lines: those with code; blank lines, comments and docstrings are left out. The limits are for all that are not blank.

Concepts: the distinct names that a framework declares and the source of the tool mentions: types, functions, members,
and methods that the framework calls. Names that the tool itself declares, or that the standard library has too, are
left out, as are keywords, words in strings, and the names of test runners and package managers. Counted apart are names
of arguments, and functions that are named with a module of the standard library, or are of C.
"""
import argparse
import ast
import builtins
import importlib
import importlib.metadata
import io
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT, PYTHON = ROOT / "Examples/Reagents", ROOT / "Examples/ReagentsPython"
PEER, SDK = ROOT / "Benchmarks/Peers/ReagentsTextual", ROOT / "Sources/PluginSDK/Python"
LIMITS = {"Swift": 280, "Python": 120}
#: What users of a plugin have without code of its author, and the definitions of the peer that are for it.
WITHOUT_CODE = {"--json and --csv": ["format_option", "print_table"], "filter": ["action_filter", "leave_filter"],
                "adding on the screen": ["AddScreen", "action_add"]}


def files(folder, *suffixes):
    """Returns the files of a folder with some suffixes, without those of builds."""
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes and ".build" not in path.parts)


# Lines

def python_lines(text):
    """Returns the numbers of the lines with code."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    ignored = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in ignored:
            lines.update(range(token.start[0], token.end[0] + 1))
    # Blank lines inside of strings have no code.
    return {number for number in lines - docstrings if text.split("\n")[number - 1].strip()}


def code_lines(path):
    """Returns how many lines of a file have code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return len(python_lines(text))
    return sum(1 for line in text.split("\n") if line.strip() and not line.lstrip().startswith("//"))


def all_lines(path):
    """Returns how many lines of a file are not blank."""
    return sum(1 for line in path.read_text(encoding="utf-8").split("\n") if line.strip())


def definition_lines(path, names):
    """Returns how many lines of code the named functions and classes of a file have, with their decorators."""
    text = path.read_text(encoding="utf-8")
    lines, found = python_lines(text), set()
    for node in ast.walk(ast.parse(text)):
        if getattr(node, "name", None) in names:
            first = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
            found |= lines & set(range(first, node.end_lineno + 1))
    return len(found)


# Concepts in Swift

#: Members that the standard library has too.
SWIFT_STANDARD = {"append", "contains", "count", "decoding", "description", "enumerated", "filter", "first",
                  "index", "init", "isEmpty", "last", "map", "prefix", "reduce", "sorted", "split", "values"}
SWIFT_KINDS = r"(?:func|var|let|struct|class|enum|protocol|typealias|associatedtype|actor|case)"
#: The ends of strings by their beginnings.
STRINGS = {'#"': '"#', '"""': '"""', '"': '"'}
#: Functions of Swift and words before parentheses, which are not of the C library.
SWIFT_LANGUAGE = {"abs", "any", "await", "c", "case", "catch", "for", "guard", "if", "in", "init", "max", "min",
                  "return", "switch", "throw", "throws", "try", "while", "zip"}


def swift_code(text):
    """Returns Swift without comments and the text of strings, but with the code inside of strings."""
    result, index = [], 0
    # The number of open parentheses in the code inside of each string that is open, with the end of that string.
    strings, end = [], None
    while index < len(text):
        character = text[index]
        if end:
            if text.startswith("\\(", index) and end != '"#':
                strings.append([0, end])
                result.append(" (")
                end, index = None, index + 2
            elif text.startswith(end, index):
                end, index = None, index + len(end)
            else:
                index += 2 if character == "\\" and end != '"#' else 1
            continue
        if text.startswith("//", index):
            index = text.find("\n", index) if "\n" in text[index:] else len(text)
            continue
        begin = next((begin for begin in STRINGS if text.startswith(begin, index)), None)
        if begin:
            end, index = STRINGS[begin], index + len(begin)
            continue
        result.append(character)
        index += 1
        if strings and character in "()":
            strings[-1][0] += 1 if character == "(" else -1
            if strings[-1][0] < 0:
                end = strings.pop()[1]
    return "".join(result)


def bodies(code, pattern):
    """Returns the name, head and body of each declaration whose head matches, by counting braces."""
    for match in re.finditer(pattern + r"\s+(\w+)([^{]*)\{", code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        yield match.group(1), match.group(2), code[match.end():end]


def swift_framework(folders):
    """Returns the public names, those of arguments, and for each protocol what it requires and which it refines."""
    names, labels, protocols = set(), set(), {}
    for path in (path for folder in folders for path in files(folder, ".swift")):
        code = swift_code(path.read_text(encoding="utf-8"))
        names.update(re.findall(r"\bpublic\b[^\n{=(]*?\b" + SWIFT_KINDS + r"\s+`?(\w+)", code))
        for _, _, body in bodies(code, r"\bpublic(?: \w+)* enum"):
            for cases in re.findall(r"^\s*case\s+([^\n]+)", body, re.M):
                names.update(re.findall(r"(?:^|,\s*)`?(\w+)", re.sub(r"\([^()]*\)", "", cases)))
        for name, head, body in bodies(code, r"\bpublic(?: \w+)* protocol"):
            required = set(re.findall(r"\b(?:func|var|associatedtype)\s+`?(\w+)", body))
            protocols[name] = (required, set(re.findall(r"\w+", head)))
            names |= required
        # The parameters of a declaration end where its parentheses do; those of types of functions have no names.
        head = r"\b(?:func\s+[^\s(<]+|init\??)(?:<[^>]*>)?"
        for parameters in re.findall(head + r"\(((?:[^()]|\([^()]*\))*)\)", code):
            labels.update(re.findall(r"(?:^|,)\s*(?!_)(\w+)[\w\s]*:", parameters))
    return names, labels, protocols


def requirements(names, protocols):
    """Returns what the named protocols require, with those that they refine."""
    found, left = set(), {name for name in names if name in protocols}
    while left:
        name = left.pop()
        required, refined = protocols.pop(name)
        found |= required
        left |= {name for name in refined if name in protocols}
    return found


def swift_concepts():
    """Returns the names of the contract, of arguments and of the C library that the tool in Swift mentions."""
    sources = ROOT / "Sources"
    names, labels, protocols = swift_framework(
        [sources / "PluginAPI/Contract", sources / "PluginKit/PluginStore", sources / "PluginTesting"])
    # The macro of the stamp, and the name of the entry point, are declared outside of Swift.
    names |= {"WORKBENCH_PLUGIN", "workbench_plugin_entry"}
    code = "\n".join(swift_code(path.read_text(encoding="utf-8"))
                     for path in files(SWIFT / "Sources", ".swift", ".c") + files(SWIFT / "Tests", ".swift"))
    own = set(re.findall(SWIFT_KINDS + r"\s+`?(\w+)", code))
    # Types and macros, members, and functions that are called; other words are variables and parameters.
    types = set(re.findall(r"\b[A-Z]\w*|\bworkbench_\w+", code))
    called = set(re.findall(r"(?<![.#\w])([a-z]\w*)\(", code)) - own
    members = set(re.findall(r"\.([a-z]\w*)\b(?!\s*:)", code))
    mentioned = ((types | members | called) & names) - own - SWIFT_STANDARD
    # What the tool declares because a protocol requires it is the framework's name.
    mentioned |= requirements(types, protocols) & own
    calls = re.sub(r"\b(?:func\s+\w+|init)\((?:[^()]|\([^()]*\))*\)", "", code)
    arguments = (set(re.findall(r"[(,]\s*([a-z]\w*)\s*:", calls)) & labels) - SWIFT_STANDARD
    return mentioned, arguments, called - names - SWIFT_LANGUAGE


# Concepts in Python

#: Members that the language and files have too.
PYTHON_STANDARD = {name for kind in (str, bytes, float, list, dict, set, type(None), io.TextIOWrapper, pathlib.Path)
                   for name in dir(kind)}
#: Packages whose names are not counted.
TEST_RUNNERS = {"pytest", "unittest"}


class Framework:
    """The public names of Python packages, of those modules that were imported."""

    def __init__(self, packages):
        self.members, self.parameters, self.called = set(), set(), set()
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None) or ""
            if module.__name__.split(".")[0] in packages and path.endswith(".py"):
                self._read(pathlib.Path(path).read_text(encoding="utf-8"))

    def _read(self, text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.members.add(node.name)
                self.parameters.update(argument.arg for argument in node.args.args + node.args.kwonlyargs)
            elif isinstance(node, ast.ClassDef):
                self.members.add(node.name)
                for statement in node.body:
                    for target in [getattr(statement, "target", None), *getattr(statement, "targets", [])]:
                        self.members.add(getattr(target, "id", ""))
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.members.add(node.attr)
        # Methods of tools that it calls by their names are in its docstrings only, as `chosen(id)`.
        self.called.update(re.findall(r"`(\w+)\(", text))


class PythonNames(ast.NodeVisitor):
    """Collects what a tool mentions of its framework and of the standard library."""

    def __init__(self, packages, own_modules):
        self._packages, self._own_modules = packages, own_modules
        #: Names that were imported from the framework, with the objects.
        self.imported = {}
        #: What is named as a member of those, and functions and types of the standard library.
        self.mentioned, self.standard = set(), set()
        #: Members of any object, and those of objects whose type is the standard library's.
        self.attributes, self.excluded = set(), set(PYTHON_STANDARD)
        #: Names that the tool declares, the members of its classes with their bases, and arguments of calls.
        self.own, self.methods, self.arguments = set(), set(), set()
        self._modules = set()

    def _import(self, name):
        """Imports a module and returns it if it is one of the framework."""
        top = name.split(".")[0]
        if top in self._own_modules | TEST_RUNNERS:
            return None
        module = importlib.import_module(name)
        if top in self._packages:
            return module
        self._modules.add(name)
        self.excluded.update(dir(module))
        for kind in vars(module).values():
            self.excluded.update(dir(kind) if isinstance(kind, type) else ())
        return None

    def visit_Import(self, node):
        for alias in node.names:
            module = self._import(alias.name)
            if module:
                self.imported[alias.name] = module

    def visit_ImportFrom(self, node):
        module = self._import(node.module)
        for alias in node.names:
            if module:
                self.imported[alias.name] = getattr(module, alias.name)
            elif node.module in self._modules:
                self.standard.add(f"{node.module}.{alias.name}")

    def visit_Attribute(self, node):
        owner = getattr(node.value, "id", None)
        if owner in self._modules:
            self.standard.add(f"{owner}.{node.attr}")
        elif owner in self.imported:
            self.mentioned.add(node.attr)
        elif owner in TEST_RUNNERS:
            return
        elif owner == "self" and isinstance(node.ctx, ast.Store):
            self.own.add(node.attr)
        else:
            self.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node):
        root = node.func
        while isinstance(root, (ast.Attribute, ast.Call)):
            root = root.value if isinstance(root, ast.Attribute) else root.func
        name = getattr(root, "id", "")
        if name not in self._modules | TEST_RUNNERS and not hasattr(builtins, name):
            self.arguments.update(keyword.arg for keyword in node.keywords if keyword.arg)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        self.own.add(node.name)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.own.add(node.name)
        bases = {getattr(base, "attr", None) or getattr(base, "id", None) for base in node.bases}
        for statement in node.body:
            names = [getattr(statement, "name", None), *(target.id for target in getattr(statement, "targets", []))]
            self.methods.update((name, frozenset(bases)) for name in names if name)
        self.generic_visit(node)


def python_concepts(paths, packages):
    """Returns the names of the framework, of arguments and of the standard library that a tool in Python mentions."""
    visitor = PythonNames(packages, {path.stem for path in paths})
    for path in paths:
        visitor.visit(ast.parse(path.read_text(encoding="utf-8")))
    framework = Framework(packages)
    names = set(visitor.imported) - packages | visitor.mentioned
    names |= (visitor.attributes & framework.members) - visitor.own - visitor.excluded
    # Methods and settings of classes that the framework looks for; methods of one form are one concept.
    kinds = dict(visitor.imported)
    for package in packages & set(kinds):
        kinds.update(vars(kinds[package]))
    for name, bases in visitor.methods:
        inherited = {member for base in bases if base in kinds for member in dir(kinds[base])}
        form = re.match(r"(action|on)_", name)
        if form and inherited:
            names.add(form.group() + "…")
        elif name in inherited or not bases and name in framework.called:
            names.add(name)
    return names, visitor.arguments & framework.parameters, visitor.standard


# The table

def row(title, values):
    """Returns a row of a table in Markdown."""
    return "| " + " | ".join([title] + [str(value) for value in values]) + " |"


def tools(with_peer):
    """Returns the files and concepts of each tool."""
    sys.path[:0] = [str(SDK), str(PEER)]
    result = {
        "Swift": {"package": [SWIFT / "Package.swift"] + files(SWIFT / "Sources", ".c", ".h"),
                  "tool": files(SWIFT / "Sources", ".swift"), "tests": files(SWIFT / "Tests", ".swift")},
        "Python": {"package": [], "tool": [PYTHON / "main.py"], "tests": files(PYTHON / "tests", ".py")}}
    concepts = {"Swift": swift_concepts,
                "Python": lambda: python_concepts(result["Python"]["tool"] + result["Python"]["tests"],
                                                  {"workbench_plugin"})}
    if with_peer:
        result["Textual"] = {"package": [], "tool": [PEER / "reagents.py", PEER / "reagents_app.py"],
                             "tests": [PEER / "test_reagents.py"]}
        concepts["Textual"] = lambda: python_concepts(
            result["Textual"]["tool"] + result["Textual"]["tests"], {"click", "platformdirs", "rich", "textual"})
    return result, concepts


def versions():
    """Returns the versions of the peer's frameworks."""
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("textual", "click"))


def print_counts(with_peer, lists_names):
    """Prints the table of lines and concepts."""
    parts, concepts = tools(with_peer)
    counted = {name: function() for name, function in concepts.items()}
    print(row("", parts) + "\n" + row("---", ["---:"] * len(parts)))
    for part in ("tool", "package", "tests"):
        print(row(f"lines of code: {part}", [sum(map(code_lines, tool[part])) for tool in parts.values()]))
    print(row("lines of code: all", [sum(code_lines(path) for part in tool.values() for path in part)
                                     for tool in parts.values()]))
    print(row("concepts: names", [len(names) for names, _, _ in counted.values()]))
    print(row("concepts: names of arguments", [len(arguments) for _, arguments, _ in counted.values()]))
    print(row("functions of standard modules", [len(functions) for _, _, functions in counted.values()]))
    if with_peer:
        without = {ability: sum(definition_lines(path, names) for path in parts["Textual"]["tool"])
                   for ability, names in WITHOUT_CODE.items()}
        listed = ", ".join(f"{ability} {count}" for ability, count in without.items())
        print(f"\nWith {versions()}. At least {sum(without.values())} of the lines with Textual are for what plugins "
              f"have without code: {listed}.")
    if lists_names:
        for tool, sets in counted.items():
            for title, names in zip(("names", "arguments", "standard library"), sets):
                print(f"\n{tool}, {title}: " + " ".join(sorted(names, key=lambda name: (name.lower(), name))))


def check_limits():
    """Exits with status 1 if a tool has more lines than promised; lines with comments count."""
    parts, _ = tools(False)
    for name, limit in LIMITS.items():
        lines = sum(all_lines(path) for part in parts[name].values() for path in part)
        print(f"example: {lines} lines in {name}, at most {limit}")
        if lines > limit:
            sys.exit("example: these are too many")


def main():
    parser = argparse.ArgumentParser(description="See Scripts/count-example.")
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--without-peer", action="store_true")
    options = parser.parse_args()
    if options.limits:
        return check_limits()
    if options.without_peer:
        print("example: without Textual, which cannot be installed", file=sys.stderr)
    print_counts(not options.without_peer, options.names)


if __name__ == "__main__":
    main()
