import FoundationEssentials
import PluginAPI
import PluginJSON
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Two hundred hostile texts of a server in every column, followed to every output.
@Suite(.timeLimit(.minutes(5)))
struct InjectionTests {
  private static let texts = Array(
    Set(SimulatorFault.hostileTexts + HostileTexts.all.filter { $0.utf8.count < 10_000 })
  )
  .sorted()
  private static let ids = texts.indices.map { "E\($0)" }

  /// Returns a lab whose cache has one of the texts in every column of every entity.
  private func lab() async throws -> WrittenLab {
    let lab = try await WrittenLab()
    let texts = Self.texts
    func text(_ index: Int) -> String { texts[index % texts.count] }
    let roots = Self.ids.enumerated().map { index, id in
      // Every fifth id is hostile too.
      [
        id, #"{"code":\#(text(index).asSimulatedJSON)}"#, text(index + 1), text(index + 2), text(index + 3),
        "[\(text(index + 4).asSimulatedJSON)]", "true",
      ]
    }
    let top = [
      "C", "{}", "Navigation", text(0), text(1), "[\(Self.ids.map(\.asSimulatedJSON).joined(separator: ","))]", "true",
    ]
    lab.write("ROOT", WrittenLab.rootColumns, [top] + roots)
    lab.write(
      "DETAIL", WrittenLab.detailColumns,
      Self.ids.enumerated().map { index, id in
        let quoted = text(index).asSimulatedJSON
        return [
          id, "{}", text(index + 1), text(index + 2), text(index + 3), text(index + 5),
          #"{"MARQUEE":{"URL":\#(quoted)}}"#,
          #"[{"key":\#(quoted),"label":\#(quoted),"value":\#(quoted)},{"key":"K","label":"L","value":[\#(quoted)]}]"#,
        ]
      })
    try await lab.run("sync")
    try await lab.run("detail E0")
    return lab
  }

  private static func check(_ text: String, _ place: String, allowing allowed: Set<Unicode.Scalar> = ["\n"]) {
    let found = Harm.found(in: text, allowing: allowed)
    #expect(found.isEmpty, "\(place): \(found.prefix(3).map { String($0.value, radix: 16) })")
  }

  @Test func `more than two hundred texts are tested`() { #expect(Self.texts.count >= 200) }

  @Test func `output of commands is sanitized`() async throws {
    let lab = try await lab()
    for line in ["categories", "roots", "drill C --cached", "tree C", "search a", "search e --anywhere"] {
      let result = try await lab.run(line)
      for detail in [TextRequest(), TextRequest(detail: .full)] {
        Self.check(try lab.plugin.text(result.value, for: detail), line)
      }
      for note in result.diagnostics { Self.check(note.message + (note.advice ?? ""), line) }
      for progress in result.progress { Self.check(progress.label, line) }
    }
    for id in Self.ids {
      let entity = try await lab.entity(id)
      Self.check(try lab.plugin.text(entity, for: TextRequest(detail: .full)), id, allowing: ["\n", "\t"])
    }
  }

  @Test func `JSON is valid and quotes the server's texts unchanged`() async throws {
    let lab = try await lab()
    var seen: Set<String> = []
    for line in ["roots", "drill C --cached", "detail E7 --cached", "tree C"] {
      var writer = JSONWriter()
      writer.write(try await lab.run(line).value)
      let bytes = writer.take()
      #expect(bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(line)")
      seen.formUnion(try JSONTexts.all(in: bytes))
    }
    // Nothing is lost for scripts: they read exactly what the server wrote.
    #expect(Set(Self.texts).subtracting(seen).count < 8, "\(Set(Self.texts).subtracting(seen).prefix(3))")
  }

  /// Invisible marks that do not control anything; rows for programs keep them.
  private static let unseen = Set(
    ["\u{FEFF}", "\u{200E}", "\u{200F}", "\u{061C}"]
      + [0x206A...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F as ClosedRange<UInt32>].joined().compactMap(
        Unicode.Scalar.init))

  /// Runs the program itself with a home of its own, as a script does.
  private static func program(_ words: [String], _ home: TemporaryFolder) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", #"echo wonderland | exec "$0" "$@""#, BuiltProgram.workbench.path, "openbis"] + words,
      environment: ["WORKBENCH_HOME": home.url("home").path, "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"])
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: BuiltProgram.workbench.path)))
  func `output of the program is sanitized in every format`() async throws {
    let lab = try await lab()
    let home = try TemporaryFolder()
    for words in [
      ["login", lab.fixture.address.base, "--user", "anna", "--password-stdin"], ["sync"], ["detail", "E0"],
    ] {
      let outcome = try Self.program(words, home)
      #expect(outcome.status == 0, "\(words): \(outcome.errors.prefix(200))")
      Self.check(outcome.errors, "errors of \(words)")
    }
    var seen: Set<String> = []
    let lines = [
      ["categories"], ["roots"], ["drill", "C", "--cached"], ["tree", "C"], ["search", "a"],
      ["detail", "E7", "--cached"],
      ["export", "C"], ["export", "C", "--format", "csv"], ["export", "C", "--format", "html"],
    ]
    for words in lines {
      for form in [[], ["--plain"], ["--csv"], ["--tsv"], ["--json"], ["--jsonl"]] {
        let outcome = try Self.program(words + form, home)
        let place = (words + form).joined(separator: " ")
        #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(place): \(outcome.errors.prefix(200))")
        Self.check(outcome.errors, "errors of " + place)
        switch form.first {
        case "--json":
          #expect(outcome.output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "\(place)")
          seen.formUnion(try JSONTexts.all(in: Array(outcome.output.utf8)))
        case "--jsonl":
          for line in outcome.output.utf8.split(separator: 0x0A) { _ = try JSONTexts.all(in: Array(line)) }
        case "--csv", "--tsv": Self.check(outcome.output, place, allowing: Self.unseen.union(["\n", "\r", "\t"]))
        default: Self.check(outcome.output, place, allowing: ["\n", "\t"])
        }
      }
    }
    #expect(Set(Self.texts).subtracting(seen).count < 8, "\(Set(Self.texts).subtracting(seen).prefix(3))")
  }

  @Test func `exports are harmless in a terminal, a spreadsheet or a browser`() async throws {
    let lab = try await lab()
    func text(_ format: String) async throws -> String {
      try lab.plugin.text(try await lab.run("export C --format \(format)").value)
    }
    let json = try await text("json")
    #expect(json.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    _ = try JSONTexts.all(in: Array(json.utf8))
    let csv = try await text("csv")
    Self.check(csv, "csv", allowing: ["\n", "\r", "\t"])
    for row in CSVRows.read(csv) {
      for field in row where field.count > 1 {
        #expect(!"=@".contains(field.first ?? " "), "\(field.prefix(40))")
      }
    }
    let html = try await text("html")
    Self.check(html, "html", allowing: ["\n", "\t"])
    for bad in ["<script>alert", "<img src=x", "<svg onload", "<iframe", "<base href", "javascript:x'>"] {
      #expect(!html.contains(bad), "\(bad)")
    }
  }

  @Test @MainActor func `screens show no control character`() async throws {
    let lab = try await lab()
    for (name, arguments) in [
      ("browser", Record()), ("browser", ["perm-id": "C"]), ("detail", ["perm-id": "E0"]), ("tree", ["perm-id": "C"]),
      ("search", Record()),
    ] as [(String, Record)] {
      let screen = try lab.plugin.screen(name, arguments, size: Size(width: 120, height: 40))
      await screen.settle()
      if name == "search" {
        screen.type("a")
        await screen.settle()
      }
      for _ in 0..<8 {
        Self.check(screen.text, "\(name) \(arguments)")
        screen.press("page-down")
      }
      Self.check("\(screen.outline)", "outline of \(name)", allowing: ["\n"])
      Self.check(screen.controller.title, "title of \(name)", allowing: [])
    }
  }

  @Test func `errors and the log quote a server's texts sanitized`() async throws {
    for (index, text) in Self.texts.enumerated() where index % 5 == 0 {
      let fixture = try LabFixture { _ in .fault(exception: text, message: text) }
      let session = RPCSession(fixture.connection(), user: "anna", key: .none, token: Secret("anna-1"))
      let error = await errorOf { try await TableService.services(session, host: .v1) }
      let report = try #require((error as? any ReportableError)?.report)
      Self.check(report.description, "message of \(index)", allowing: [])
      await fixture.stop()
    }
    let lab = try await lab()
    for (index, text) in Self.texts.enumerated() where index % 5 == 1 {
      for name in ["detail", "drill", "export", "image", "files"] {
        let parameter = name == "files" ? "data-set" : "perm-id"
        guard let report = await lab.plugin.report(name, Record([.init(parameter, .text(text))])) else { continue }
        Self.check(report.description, "\(name) of \(index)", allowing: ["\n"])
      }
    }
    for line in lab.plugin.context.logLines { Self.check(line.message, "log", allowing: []) }
  }
}
