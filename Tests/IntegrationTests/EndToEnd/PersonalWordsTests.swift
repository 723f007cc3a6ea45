import Foundation
import TestSupport
import Testing

/// Personal data typed into screens and commands of the real program, which must not appear in any of its files.
@Suite(.timeLimit(.minutes(5)))
struct PersonalWordsTests {
  private let folder: TemporaryFolder
  /// A word that occurs nowhere else on this machine.
  private let word = "zk" + String(UInt64.random(in: .min ... .max), radix: 36)

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url("tmp"), withIntermediateDirectories: true)
  }

  private var key: String { folder.url("station.key").path }
  private var trace: URL { folder.url("trace.jsonl") }
  private var record: URL { folder.url("record.wbs") }

  @discardableResult
  private func run(_ words: [String], isTraced: Bool = true) throws -> CommandLineProcess.Outcome {
    let files = isTraced ? ["--trace", trace.path, "--record", record.path] : []
    let environment = ["WORKBENCH_HOME": folder.url("home").path, "TMPDIR": folder.url("tmp").path]
    return try CommandLineProcess(words + files, environment: environment).finish()
  }

  private func wsabi(_ words: String...) throws -> CommandLineProcess.Outcome {
    let outcome = try run(["wsabi"] + words)
    #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    return outcome
  }

  /// Feeds keys to the screens of people, once the store is open, and returns the last screen.
  private func screens(_ keys: String...) throws -> String {
    let all = (["ctrl-o type:\(key) enter wait"] + keys).joined(separator: " ")
    return try run(["run", "wsabi", "--headless", "100x30", "--keys", all]).output
  }

  /// Expects that no file of the program contains the word, including traces and recordings.
  private func expectSilence(_ when: String) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path.path)
    #expect(names.contains { $0.hasSuffix("people.sqlite") })
    for name in names {
      guard let content = FileManager.default.contents(atPath: folder.url(name).path) else { continue }
      #expect(content.range(of: Data(word.utf8)) == nil, "'\(name)' \(when)")
    }
  }

  private static let options = [
    "first-name", "middle-name", "last-name", "other-name", "height", "weight", "notes", "alias", "place-of-birth",
  ]

  @Test
  func `a personal word entered everywhere is in no file, trace or recording`()
    throws
  {
    let sensor = try CommandLineProcess(["wsabi", "simulate", "--sensors", "1", "--modality", "finger"])
    defer {
      sensor.send(SIGTERM)
      _ = sensor.wait()
    }
    let address = String(sensor.readSome().prefix { !$0.isWhitespace })
    try #require(address.hasPrefix("http://"))
    _ = try wsabi("store", "init", "--new-key-file", key, "--user", "anna")

    // Screens: a person with a walkthrough and everything that is typed of them.
    var keys = ["a wait enter enter enter wait type:\(address) tab type:\(word)desk ctrl-r wait enter wait e wait"]
    for name in ["first", "middle", "last", "other", "alias"] {
      keys.append("enter type:\(word)\(name) enter wait down")
    }
    keys.append("down enter type:\(word)place enter wait down down down down down")
    for name in ["height", "weight"] { keys.append("enter type:\(word)\(name) enter wait down") }
    keys.append("enter wait type:\(word)notes ctrl-s wait")
    let form = try screens(keys.joined(separator: " "))
    for name in ["first", "middle", "last", "other", "alias", "place", "height", "weight", "notes"] {
      #expect(form.contains(word + name), "\(form)")
    }
    // The search, the card, its back, notes of the item, and the picture.
    _ = try wsabi("capture", "1", "--key-file", key)
    let back = try screens(
      "/ type:\(word) wait enter wait enter wait b wait enter wait down down enter wait down enter wait",
      "type:\(word)itemnote ctrl-s wait")
    #expect(back.contains("\(word)itemnote") && back.contains("cannot be captured"), "\(back)")
    let lightbox = try screens("v wait")
    #expect(lightbox.contains("640×720"), "\(lightbox)")

    // Commands: each option with personal data.
    let said = Self.options.flatMap { ["--" + $0, "\(word)\($0)"] }
    _ = try run(["wsabi", "person", "add", "--key-file", key] + said)
    _ = try wsabi("person", "edit", "2", "--alias", "\(word)one", "--alias", "\(word)two", "--key-file", key)
    _ = try wsabi("item", "annotate", "1", "--part", "bandaged", "--notes", "\(word)again", "--key-file", key)
    let found = try wsabi("person", "list", "--find", "\(word)two", "--json", "--key-file", key)
    #expect(found.output.contains("\(word)first-name"))
    // A refused value is reported where it was typed, and nowhere else.
    let refused = try run(["wsabi", "item", "annotate", "1", "--part", "\(word)=\(word)", "--key-file", key])
    #expect(refused.status != 0)
    try expectSilence("while there are people")

    _ = try wsabi("store", "lock")
    try expectSilence("while it is locked")
    for person in ["1", "2"] { _ = try wsabi("person", "delete", person, "--yes", "--key-file", key) }
    try expectSilence("once everybody was deleted")
    #expect(try wsabi("person", "list", "--json", "--key-file", key).output == "[]\n")

    // The calls themselves are still recorded.
    let (traced, recorded) = (
      try String(contentsOf: trace, encoding: .utf8), try String(contentsOf: record, encoding: .utf8)
    )
    #expect(traced.contains("\"command\":\"wsabi person add\"") && traced.contains("\"first-name\":\"…\""))
    #expect(recorded.contains("wsabi person edit --alias=… --alias=… --key-file=\(key) 2\n"))
    #expect(recorded.contains("screen type …\n") && recorded.contains("wsabi capture --key-file=\(key) 1\n"))
  }
}
