import Foundation
import TestSupport
import Testing

/// Web addresses on the screens of a terminal, as it receives them.
struct ScreenLinkTerminalTests {
  private static let address = "https://example.org/water"
  /// The address as a link, with the mark before it and the one after it.
  private static let linked = ";\(address)\u{1B}\\\(address)\u{1B}]8;;\u{1B}\\"

  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    let lines = ["3", "water of \(Self.address) in the title", "O 0 0 0", "H 0 0 0.96", "H 0.93 0 -0.24"]
    file = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), "water.xyz")
  }

  private func start(_ more: [String: String]) throws -> PseudoTerminal {
    let environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "WORKBENCH_HOME": folder.url("home").path]
    return try PseudoTerminal(
      BuiltProgram.workbench.path, ["run", "molecules", file.path], columns: 100, rows: 24,
      environment: environment.merging(more) { _, new in new })
  }

  /// Ends the program and returns all it wrote.
  private func end(_ terminal: PseudoTerminal) -> String {
    kill(terminal.processIdentifier, SIGTERM)
    #expect(terminal.reads("\u{1B}[?1049l"))
    #expect(terminal.end() == 143)
    return String(decoding: terminal.output, as: UTF8.self)
  }

  @Test func `an address is a link on a terminal known to open it, and none is open at the end`() throws {
    let terminal = try start(["VTE_VERSION": "7200"])
    #expect(terminal.reads(Self.linked))
    #expect(
      end(terminal).contains("\u{1B}[?25h\u{1B}]8;;\u{1B}\\"), "the sequence that restores the terminal ends links")
  }

  @Test func `other terminals, and users who do not want links, get none`() throws {
    let unknown = try start([:])
    #expect(unknown.reads(Self.address))
    #expect(!end(unknown).contains("\u{1B}]8;"))
    let setting = try CommandLineProcess(
      ["config", "set", "links", "never"], environment: ["WORKBENCH_HOME": folder.url("home").path]
    ).finish(input: "")
    #expect(setting.status == 0, "\(setting.errors)")
    let known = try start(["VTE_VERSION": "7200"])
    #expect(known.reads(Self.address))
    #expect(!end(known).contains("\u{1B}]8;"))
  }
}
