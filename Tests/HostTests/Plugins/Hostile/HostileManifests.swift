import Foundation
import PluginAPI
import Testing

@testable import Host

/// Files `plugin.json` that describe no plugin, or one that the host must not accept.
enum HostileManifests {
  static let all: [HostileCase<[UInt8]>] = documents + changed + added

  private static func hostile(_ label: String, _ bytes: [UInt8], _ message: String) -> HostileCase<[UInt8]> {
    HostileCase(label, "host.plugin-bad-manifest", bytes, message: message)
  }

  private static func hostile(_ label: String, _ text: String, _ message: String) -> HostileCase<[UInt8]> {
    hostile(label, Array(text.utf8), message)
  }

  private static let good = ScriptedProgram.manifest()

  /// Files that are not the JSON of an object, or too much of it.
  private static let documents: [HostileCase<[UInt8]>] = [
    hostile("empty file", "", "line 1, column 1: the document ends where a value is expected"),
    hostile("null", "null", "it is not an object in braces"),
    hostile("list", "[]", "it is not an object in braces"),
    hostile("library", [0x7F, 0x45, 0x4C, 0x46, 0], "a value is expected"),
    hostile("NUL after the object", good + "\u{0}", "text follows the end of the document"),
    hostile("two objects", good + good, "text follows the end of the document"),
    hostile("half an object", String(good.prefix(good.count / 2)), "line "),
    hostile("text that is not UTF-8", Array("{\"protocol\": \"".utf8) + [0xFF] + Array("\"}".utf8), "not UTF-8"),
    hostile("byte order mark", "\u{FEFF}" + good, "a value is expected"),
    hostile("comment", "// no\n" + good, "a value is expected"),
    hostile("a name twice", #"{"protocol": 1, "protocol": 2}"#, "the name 'protocol' occurs twice"),
    hostile("huge file", String(repeating: " ", count: ProgramManifest.largest + 1), "larger than"),
    hostile("deep lists", String(repeating: "[", count: 1000), "levels deep"),
    hostile("deep objects", String(repeating: "{\"a\":", count: 1000), "levels deep"),
    hostile("unknown kind of value", #"{"protocol": {"$kind": 1}}"#, "'$kind' is not a kind of values"),
    hostile("a table that lies", #"{"protocol": {"$table": [{"name": "a", "values": 1}]}}"#, "'$table' is not"),
    hostile("nothing in it", "{}", "'protocol' is not a number"),
  ]

  /// Returns a case whose manifest has another text in place of one in the good manifest.
  private static func replacing(_ old: String, _ new: String, _ message: String) -> HostileCase<[UInt8]> {
    precondition(good.contains(old), "the good manifest has no \(old)")
    return hostile("\(old) → \(new.prefix(40))", good.replacingOccurrences(of: old, with: new), message)
  }

  private static func id(_ id: String) -> HostileCase<[UInt8]> {
    replacing("\"id\": \"scripted\"", "\"id\": \"\(id)\"", "its id '")
  }

  private static let changed: [HostileCase<[UInt8]>] = [
    replacing("\"protocol\": 1,", "\"protocol\": 1,,", "line 1, column 16: a name in quotes is expected"),
    replacing("\"protocol\": 1", "\"protocol\": 2", "it needs version 2 of the protocol; this workbench has version 1"),
    replacing("\"protocol\": 1", "\"protocol\": 0", "it needs version 0 of the protocol"),
    replacing("\"protocol\": 1", "\"protocol\": \"1\"", "'protocol' is not a number"),
    replacing("\"protocol\": 1", "\"protocol\": 1e99", "'protocol' is not a number"),
    replacing("[\"emit\"]", "[\"telepathy\"]", "it needs the feature 'telepathy'; this workbench has ask, "),
    replacing("[\"emit\"]", "\"emit\"", "'features' is not a list of texts"),
    replacing("[\"sh\", \"main.sh\"]", "[]", "'run' is not a program with at most 63 arguments"),
    replacing("[\"sh\", \"main.sh\"]", "[\"\"]", "'run' is not a program with at most 63 arguments"),
    replacing("[\"sh\", \"main.sh\"]", "[\"sh\", 7]", "'run' is not a list of texts"),
    replacing("[\"sh\", \"main.sh\"]", "\"sh main.sh\"", "'run' is not a list of texts"),
    replacing("[\"sh\", \"main.sh\"]", "[\"s\\u0000h\"]", "'run' is not a program"),
    replacing(
      "[\"sh\", \"main.sh\"]", "[" + String(repeating: "\"sh\",", count: 64) + "\"sh\"]", "'run' is not a program"),
    replacing("{\"name\": \"go\", \"summary\": \"Run\",", "{\"name\": \"go\",", "commands[0]: 'summary' is not text"),
    replacing("\"id\": \"scripted\"", "\"ID\": \"scripted\"", "plugin: 'id' is not text"),
    id("run"), id("host"), id("Scripted"), id("../../x"), id("a"), id("scr\\u0430pted"), id("scripted\\n"),
    id(String(repeating: "x", count: 41)),
    replacing("\"1.0.0\"", "\"1.0\"", "its version '1.0' is not three numbers such as 1.0.0"),
    replacing("\"1.0.0\"", "\"1.0.0-a b\"", "its version '1.0.0-a b' is not three numbers"),
    replacing("\"name\": \"go\"", "\"name\": \"Go\"", "is not in kebab-case"),
    replacing("\"name\": \"go\"", "\"name\": \"go  now\"", "is not in kebab-case"),
    replacing("\"scripted.text\"", "\"molecules.structure\"", "may only render its own types"),
    replacing("\"scripted.text\"", "\"host.error\"", "may only render its own types"),
    replacing("\"checks\": [", "\"stores\": [{\"name\": \"S s\"}], \"checks\": [", "kebab-case"),
    replacing("\"summary\": \"Run\"", "\"summary\": \"\\u001b[2J\"", "contains a control character"),
    replacing("\"summary\": \"Run\"", "\"summary\": \"a\\u202eb\"", "contains a control character"),
    replacing("\"title\": \"Main\"", "\"title\": \"a\\nb\"", "contains a control character"),
    replacing("\"metre\"", "\"\\u009b2J\"", "contains a control character"),
    replacing("[\"a\"]", "[\"q\"]", "which is reserved for the program"),
    replacing(
      "[\"reads\"]", "[\"reads\", \"telepathy\"]", "'effects' is not a list of reads, writes, deletes, network"),
    replacing("[\"reads\"]", "\"writes\"", "commands[0]: 'effects' is not a list"),
    replacing("[\"reads\"]", "[[\"writes\"]]", "commands[0]: 'effects' is not a list"),
  ]

  /// Returns a case whose manifest has more elements at the start of a list.
  private static func adding(
    _ label: String, _ elements: String, to list: String = "commands", _ message: String
  ) -> HostileCase<[UInt8]> {
    let start = "\"\(list)\": ["
    precondition(good.contains(start), "the good manifest has no list \(list)")
    return hostile(label, good.replacingOccurrences(of: start, with: start + elements + ", "), message)
  }

  /// Returns a case with a command that has an option of a kind.
  private static func option(_ label: String, kind: String, _ message: String) -> HostileCase<[UInt8]> {
    let option = #"{"name": "by", "summary": "Angle", "kind": \#(kind)}"#
    let output = #""output": {"schema": {"is": "any"}}"#
    return adding(label, #"{"name": "turn", "summary": "Turn", \#(output), "options": [\#(option)]}"#, message)
  }

  private static func command(_ name: String) -> String {
    #"{"name": "\#(name)", "summary": "Run", "output": {"schema": {"is": "any"}}}"#
  }

  private static let manyCommands = (0...1000).map { command("c\($0)") }.joined(separator: ",")
  private static let manyWords = (0...1000).map { "\"w\($0)\"" }.joined(separator: ",")

  private static let added: [HostileCase<[UInt8]>] = [
    adding("1001 more commands", manyCommands, "the limit is 1000"),
    adding("a command twice", command("go"), "it declares command 'go' twice"),
    adding("a setting twice", #"{"name": "unit", "kind": {"is": "text"}, "summary": "U"}"#, to: "settings", "twice"),
    adding("a screen twice", #"{"name": "main", "title": "Main"}"#, to: "screens", "twice"),
    option("1001 words of a choice", kind: #"{"is": "choice", "words": [\#(manyWords)]}"#, "the limit is 1000"),
    option("a word that is an option", kind: #"{"is": "choice", "words": ["--yes"]}"#, "which is not a word"),
    option("less than no numbers", kind: #"{"is": "numbers", "count": -1}"#, "takes -1 numbers"),
    option("endless numbers", kind: #"{"is": "numbers", "count": 9223372036854775807}"#, "takes 9223372036854775807"),
    option("no number possible", kind: #"{"is": "integer", "minimum": 2, "maximum": 1}"#, "no number is in the bounds"),
    option(
      "bounds that are not numbers", kind: #"{"is": "number", "minimum": {"$number": "nan"}}"#,
      "no number is in the bounds"),
  ]
}

struct HostileManifestTests {
  @Test(arguments: HostileManifests.all)
  func `a hostile manifest is refused with what is wrong and where`(hostile: HostileCase<[UInt8]>) {
    do throws(ErrorReport) {
      _ = try ProgramManifest(hostile.subject, path: "/p/plugin.json")
      Issue.record("it was accepted")
    } catch {
      let report = error.report
      #expect(report.code == hostile.code && report.details["path"] == "/p/plugin.json")
      #expect(hostile.isNamed(in: report.message), "\(report.message)")
    }
  }
}
