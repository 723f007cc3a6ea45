import Foundation
import TestSupport
import Testing

/// The commands of the bundled plugins as items of batch runs: the values are those of `--json`.
@Suite(.timeLimit(.minutes(20)))
struct BatchCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array(Self.model.utf8), "model.json")
    try folder.write(Array("O 0 0 0\n".utf8), "empty.json")
  }

  /// A model with three reactions that its objective depends on, and one that carries no flux.
  private static let model = """
    {"id": "m", "compartments": {"c": ""},
    "genes": [{"id": "g", "name": "g"}, {"id": "h", "name": "h"}, {"id": "k", "name": "k"}],
    "metabolites": [{"id": "a_c", "name": "", "compartment": "c"}, {"id": "b_c", "name": "", "compartment": "c"}],
    "reactions": [
    {"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 7.5,
    "gene_reaction_rule": "g", "objective_coefficient": 0},
    {"id": "out", "name": "", "metabolites": {"a_c": -3}, "lower_bound": 0, "upper_bound": 9,
    "gene_reaction_rule": "h", "objective_coefficient": 1},
    {"id": "other", "name": "", "metabolites": {"a_c": -3}, "lower_bound": 0, "upper_bound": 9,
    "gene_reaction_rule": "k", "objective_coefficient": 1},
    {"id": "lone", "name": "", "metabolites": {"b_c": -1}, "lower_bound": 0, "upper_bound": 1,
    "gene_reaction_rule": "g", "objective_coefficient": 0}]}
    """

  /// The values of required arguments, by name.
  private static let values = [
    "molecule": "2", "selection": "chain A and resi 2-4", "first": "A/1/CA", "second": "A/2/CA", "third": "A/3/CA",
    "fourth": "A/4/CA", "network": "w-tca", "name": "pyruvate", "from": "pyruvate", "to": "citrate",
    "perm-id": "SPACE.5HT", "person": "1", "item": "1",
  ]

  /// The words after the name of commands that need others, in place of those above.
  private static let words = [
    "molecules superpose": ["2", "2"], "molecules scan": ["2", "--select", "chain A and resi 2-4"],
    "pathcase fba": ["model.json"], "pathcase pfba": ["model.json"], "pathcase fva": ["model.json"],
    "pathcase blocked": ["model.json"], "pathcase deletions": ["model.json"], "pathcase modes": ["model.json"],
    "pathcase validate": ["model.json"], "openbis mapping check": ["empty.json"], "wsabi item list": ["1"],
  ]

  /// Commands whose values differ from run to run, or show the state folder, of which each child has its own.
  private static let differing = ["openbis secrets status", "wsabi log", "wsabi interactions"]
  /// Commands whose input here is an error.
  private static let failing = ["openbis mapping check"]

  /// What a plugin needs for its commands to have values: an account with entities, a store with a person.
  private static let preparations = [
    "openbis": """
    exec 3< <("$0" openbis simulate 2>/dev/null); server=$!; read -r address user <&3
    echo wonderland | "$0" openbis login "$address" --user alice --password-stdin --native || exit
    "$0" openbis sync --no-index; status=$?; kill $server; exit $status
    """,
    "wsabi": """
    "$0" wsabi store init --new-key-file key --quiet || exit
    "$0" wsabi person add --key-file key || exit
    "$0" wsabi item add 1 --submodality face --sensor http://127.0.0.1:1/face --key-file key
    """,
  ]

  private func workbench(_ words: [String], plugins: URL? = nil) throws -> BuiltProgram.Outcome {
    try shell("exec \"$0\" \"$@\"", words, plugins: plugins)
  }

  /// Runs a script of bash in the folder of the tests: `$0` is the program.
  private func shell(
    _ script: String, _ arguments: [String] = [], plugins: URL? = nil
  ) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"),
      ["-c", "cd '\(folder.path.path)' && { \(script)\n}", BuiltProgram.workbench.path] + arguments,
      environment: [
        "WORKBENCH_HOME": folder.url("home").path, "WORKBENCH_PLUGIN_PATH": plugins?.path, "TMPDIR": folder.path.path,
      ])
  }

  /// A line of a command that reads, with the index of the word that is the item.
  private struct Line {
    var name: String
    var words: [String]
    var item: Int
    /// The words after the last argument.
    var options: [String] = []
  }

  /// Returns the lines of all commands of a plugin that only read.
  private func lines(of plugin: String) throws -> [Line] {
    let commands = try workbench(["help", plugin, "--json"]).record["commands"] as? [[String: Any]] ?? []
    return try commands.compactMap { $0["name"] as? String }.compactMap { name -> Line? in
      let nameWords = name.split(separator: " ").map(String.init)
      let help = try workbench(["help"] + nameWords + ["--json"]).record
      guard help["effects"] as? [String] == ["reads"], !Self.differing.contains(name) else { return nil }
      let arguments = help["arguments"] as? [[String: Any]] ?? []
      let names = arguments.filter { $0["required"] as? Bool == true }.compactMap { $0["name"] as? String }
      let values = names.compactMap { Self.values[$0] }
      let words = Self.words[name] ?? values
      // A new argument needs a value here.
      try #require(Self.words[name] != nil || values.count == names.count, "\(name) \(names)")
      let options = (help["options"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      return Line(
        name: name, words: nameWords + words, item: words.isEmpty ? nameWords.count - 1 : nameWords.count,
        options: options.contains("key-file") ? ["--key-file", "key"] : [])
    }
  }

  /// Runs a line as a run of one item, and returns its gathered result.
  private func item(_ line: Line, in run: String) throws -> String {
    try folder.write(Array((line.words[line.item] + "\n").utf8), "item.txt")
    var template = line.words
    template[line.item] = "{}"
    let options = ["--items", "item.txt", "--shards", "1", "--probe", "0", "--json", "--"]
    let outcome = try workbench(["batch", "run", run] + options + template + line.options)
    #expect([0, 5].contains(outcome.status), "\(line.name): \(outcome.errors)")
    return try workbench(["batch", "gather", run]).output
  }

  /// Returns a document without the times that commands measure.
  private static func timeless(_ text: some StringProtocol) -> String {
    String(text).replacing(/"milliseconds":[0-9.]+/, with: #""milliseconds":0"#)
  }

  @Test(arguments: [("molecules", 20), ("pathcase", 15), ("openbis", 5), ("wsabi", 8)])
  func `each reading command has the same value as an item`(plugin: String, least: Int) throws {
    if let preparation = Self.preparations[plugin] {
      let outcome = try shell(preparation)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    var compared = 0
    for (number, line) in try lines(of: plugin).enumerated() {
      let direct = try workbench(line.words + line.options + ["--json"])
      let item = try item(line, in: "run\(number)")
      if Self.failing.contains(line.name) {
        #expect(direct.status != 0 && item.contains("\"code\":\"\(direct.errorCode ?? "")\""), "\(line.name): \(item)")
        continue
      }
      #expect(direct.status == 0, "\(line.name): \(direct.errors)")
      let pictures = ([direct.record] + direct.rows).compactMap { $0["data"] as? String }
      if !pictures.isEmpty {
        let frames = pictures.indices.map { direct.rows.isEmpty ? "1.png" : "1-\($0 + 1).png" }
        for (frame, picture) in zip(frames, pictures) {
          let file = folder.url("run\(number)/files/00000/\(frame)")
          #expect((try? Data(contentsOf: file)) == Data(base64Encoded: picture), "\(line.name): \(frame)")
          #expect(item.contains(#""file":"files/00000/\#(frame)""#))
        }
      } else {
        let value = #""value":"# + Self.timeless(direct.output.dropLast()) + ","
        #expect(Self.timeless(item).contains(value), "\(line.name): \(item.prefix(400))")
      }
      compared += 1
    }
    #expect(compared >= least)
  }

  @Test func `a command that uses the network runs as an item in the user's session`() throws {
    let outcome = try shell(
      """
      exec 3< <("$0" openbis simulate 2>/dev/null); server=$!; read -r address user <&3
      trap 'kill $server' EXIT
      echo wonderland | "$0" openbis login "$address" --user alice --password-stdin --native >login.txt || exit
      set=20240102080000000-1
      "$0" openbis files $set --json >files.json || exit
      echo $set >item.txt
      "$0" batch run run --items item.txt --probe 0 --allow-network -- openbis files {} >run.txt || exit
      "$0" batch gather run
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let files = try String(contentsOf: folder.url("files.json"), encoding: .utf8).dropLast()
    #expect(files.count > 100 && outcome.output.contains(#""value":\#(files),"#), "\(outcome.output)")
  }

  @Test(arguments: [["fva"], ["deletions", "--pairs"]])
  func `gathered parts of a result are the whole`(command: [String]) throws {
    let line = ["pathcase", command[0], "model.json"] + command.dropFirst()
    let whole = try workbench(line + ["--csv"]).output.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(whole.count > 5)
    let outcome = try workbench(["batch", "run", "run", "--parts", "3", "--json", "--"] + line + ["--part", "{}"])
    #expect(outcome.status == 0 && outcome.record["items"] as? Int == 3, "\(outcome.errors)")
    let gathered = try workbench(["batch", "gather", "run", "--format", "csv"]).output
    // The item's number and id come first.
    let rows = gathered.split(separator: "\r\n", omittingEmptySubsequences: false).map { row in
      row.split(separator: ",", omittingEmptySubsequences: false).dropFirst(2).joined(separator: ",")
    }
    #expect(rows == whole.map(String.init))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
  func `a command of a plugin in Python runs once for each file`() throws {
    let home = try PluginHome(withPlugin: false)
    try home.install(program: "words")
    let texts = ["a b a", "c", "b b b"]
    for (number, text) in texts.enumerated() { try folder.write(Array((text + "\n").utf8), "\(number).txt") }
    func words(_ words: [String]) throws -> BuiltProgram.Outcome { try workbench(words, plugins: home.plugins) }
    let options = ["--files", "?.txt", "--shards", "2", "--probe", "0", "--json"]
    let outcome = try words(["batch", "run", "run"] + options + ["--", "words", "count", "{}"])
    #expect(outcome.status == 0 && outcome.record["done"] as? Int == 3, "\(outcome.errors)")
    let gathered = try words(["batch", "gather", "run"]).output.split(separator: "\n")
    try #require(gathered.count == 3)
    for number in texts.indices {
      let value = try words(["words", "count", "\(number).txt", "--json"]).output.dropLast()
      #expect(gathered[number].contains(#""value":\#(value),"#), "\(gathered[number])")
    }
  }
}
