import Foundation
import TestSupport
import Testing

/// Streams of the built program as JSON Lines and Arrow, from a plugin whose cells break careless writers of tables.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"))
struct StreamedOutputTests {
  private let home: PluginHome
  /// The mark of a message.
  private static let mark: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  init() throws {
    home = try PluginHome(withPlugin: false)
    try home.install(program: "hostile")
  }

  private func documents(_ words: String...) throws -> [Any] {
    let run = try home.run(["hostile"] + words, "--jsonl")
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
  }

  @Test func `streams and tables are one document per line`() throws {
    #expect(try documents("values").count == 3000)
    #expect(try documents("texts").count == 22)
    let numbers = try documents("parts").compactMap { ($0 as? [String: Any])?["number"] as? Int }
    #expect(numbers == [1, 2, 3])
    #expect(try home.run("hostile", "parts", "--json").rows.count == 3)
  }

  @Test func `an Arrow stream is written to a file or to standard output`() throws {
    let file = home.folder.url("texts.arrow")
    let run = try home.run("hostile", "texts", "--arrow", "--output", file.path)
    #expect(run.status == 0 && run.output == "", "\(run.errors)")
    let bytes = Array(try Data(contentsOf: file))
    #expect(bytes.starts(with: Self.mark) && bytes.suffix(8) == Self.mark + [0, 0, 0, 0])
    // The text of 100,000 letters is not cut.
    #expect(bytes.count > 200_000)
    let other = home.folder.url("other.arrow")
    let shell = try home.runShell("\"$0\" hostile texts --arrow --output - --plugin-dir \"$1\" >\"$2\"", other.path)
    let others = Array(try Data(contentsOf: other))
    #expect(shell.status == 0 && others == bytes, "\(shell.errors)")
  }

  @Test func `values of changing types are possible in JSON Lines but not in Arrow`() throws {
    #expect(try documents("changing").count == 2)
    let run = try home.run("hostile", "changing", "--arrow")
    #expect(run.status == 1 && run.errors.contains("column 'n' of the result has whole numbers, but row 2"))
    #expect(run.errors.contains("use '--jsonl' or '--csv'"))
  }

  @Test func `a reader receives the rows of a paused stream`() throws {
    let file = home.folder.url("waiting.arrow")
    // The schema has 144 bytes, the batch of one row 160; then the command waits until it is ended.
    let script = """
      "$0" hostile waiting --arrow --plugin-dir "$1" >"$2" & host=$!
      until [ "$(stat -c %s "$2")" -ge 304 ]; do sleep 0.05; done
      stat -c %s "$2"; kill -INT $host; wait $host; echo $?
      """
    let run = try home.runShell(script, file.path)
    #expect(run.output == "304\n130\n", "\(run.errors)")
    let bytes = Array(try Data(contentsOf: file))
    #expect(bytes[296..<304] == [1, 0, 0, 0, 0, 0, 0, 0] && bytes[304...] == Self.mark[...] + [0, 0, 0, 0])
  }
}
