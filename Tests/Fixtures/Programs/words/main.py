from collections import Counter

from workbench_plugin import Error, File, Plugin

plugin = Plugin("words", "Words", "1.0.0", "Counts words of text files")


@plugin.command("count", "Count the words of a file", table={"word": str, "count": int},
                help={"file": "Text file", "least": "Smallest count"}, examples=[("count text.txt", "Count words")])
def count(call, file: File("txt"), least: int = 1):
    try:
        words = open(file, encoding="utf-8").read().lower().split()
    except OSError as error:
        raise Error("words.unreadable", f"cannot read '{file}': {error.strerror}", kind="notFound")
    return [(word, number) for word, number in Counter(words).most_common() if number >= least]


plugin.run()
