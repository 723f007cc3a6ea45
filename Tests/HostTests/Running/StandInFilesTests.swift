import Glibc
import PluginAPI
import Testing

@testable import Host

@MainActor struct StandInFilesTests {
  private let files = StandInFiles(originals: ["/tmp/w/1/stdin": "-", "/tmp/w/2/b.cif": "pipes/b.cif"])

  @Test func `results and messages name input as the user wrote it`() async throws {
    let output = CollectedOutput()
    try await files.restoringWords(to: output) { output in
      output.warn(
        Diagnostic(.note, code: "x.y", "'/tmp/w/1/stdin' is '/tmp/w/2/b.cif'", advice: "look at '/tmp/w/1/stdin'"))
      try await output.emit(["rows": [["file": "/tmp/w/1/stdin", "text": "in /tmp/w/1/stdin"]], "n": 1])
    }
    #expect(output.values == [["rows": [["file": "-", "text": "in /tmp/w/1/stdin"]], "n": 1]])
    let diagnostic = try #require(output.diagnostics.first)
    #expect(diagnostic.message == "'-' is 'pipes/b.cif'" && diagnostic.advice == "look at '-'")
  }

  @Test func `errors name input as the user wrote it`() async throws {
    let report = await #expect(throws: ErrorReport.self) {
      try await files.restoringWords(to: CollectedOutput()) { _ in
        throw ErrorReport(
          code: "x.y", kind: .unusableInput, "'/tmp/w/2/b.cif' is not a structure", details: ["file": "/tmp/w/1/stdin"])
      }
    }
    let missing = await #expect(throws: ErrorReport.self) {
      try await files.restoringWords(to: CollectedOutput()) { _ in
        throw HostFileError.cannot(.read, "/tmp/w/1/stdin", code: ENOENT)
      }
    }
    #expect(missing?.message.hasPrefix("cannot read '-'") == true)
    await #expect(throws: OutputError.closedPipe) {
      try await files.restoringWords(to: CollectedOutput()) { _ in throw OutputError.closedPipe }
    }
    #expect(report?.message == "'pipes/b.cif' is not a structure" && report?.details["file"] == "-")
  }
}
