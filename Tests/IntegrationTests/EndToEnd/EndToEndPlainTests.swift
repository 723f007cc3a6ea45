import Foundation
import TestSupport
import Testing

/// Screens without colors, without a terminal, and as linear text; and missing documents.
struct EndToEndPlainTests {
  @Test func `without a terminal one frame is printed`() throws {
    let outcome = try CommandLineProcess.run("run", "molecules", "3")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == 24 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.last?.hasPrefix(" Ball and stick · 60 atoms   ") == true)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `linear text takes numbers from standard input and ends at its end`() throws {
    let outcome = try CommandLineProcess.run("run", "molecules", "3", "--plain", input: "1\n5\nb\n?\n")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("1. Library of molecules\nstatus: Ball and stick, 60 atoms\n"))
    #expect(outcome.output.contains("5. CAFFEINE, 1,3,7-TRIMETHYLXANTHINE  [24 atoms 25 bonds]"))
    #expect(outcome.output.contains("status: Ball and stick, 24 atoms"))
    #expect(outcome.output.contains("NUMBER chooses an item"))
    // There is no reader for a prompt.
    #expect(!outcome.output.contains(": run a command, q quit:"))
    #expect(outcome.output.utf8.allSatisfy { $0 == 10 || $0 >= 32 })
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// Characters that draw lines, blocks and arrows.
  private static func isDrawn(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x2190...0x21FF).contains($0.value) || (0x2500...0x28FF).contains($0.value) }
  }

  @Test(arguments: [
    ["pathcase", "show", "w-glycolysis"], ["pathcase", "info", "w-glycolysis"], ["run", "molecules"],
    ["run", "pathcase", "w-glycolysis"], ["run"], ["molecules", "render", "3", "--size", "64x64"],
    ["molecules", "info", "3"],
    ["plugin", "info", "pathcase"], ["help"],
  ])
  func `plain text and a dumb terminal have no box drawing and no notes in the result`(words: [String]) throws {
    let plain = try CommandLineProcess(words + ["--plain"]).finish()
    #expect(plain.status == 0 && !plain.output.isEmpty, "\(plain.errors)")
    #expect(!Self.isDrawn(plain.output), "\(plain.output)")
    #expect(!plain.output.contains("loading") && !plain.output.contains(": done"), "\(plain.output)")
    let dumb = try CommandLineProcess(words, environment: ["TERM": "dumb"]).finish()
    #expect(dumb.output == plain.output)
  }

  @Test func `a missing document ends the program before a screen opens`() throws {
    let outcome = try CommandLineProcess.run("run", "molecules", "/no/such/file.pdb")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.errors == "workbench: cannot read '/no/such/file.pdb': no such file or directory\n")
  }

  @Test func `an unreadable document is reported on the screen, which remains usable`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array("no structure\n".utf8), "broken.pdb")
    let outcome = try CommandLineProcess.run(
      "run", "molecules", file.path, "--headless", "120x12", "--keys", "wait i wait enter wait")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Type a name, an organism, an author"))
    let first = try CommandLineProcess.run("run", "molecules", file.path, "--headless", "150x12")
    #expect(first.output.contains("broken.pdb' cannot be read as a structure"))
  }

  @Test(arguments: [("braille", "⠿"), ("ascii", "="), ("half-block", "▀")])
  func `pictures on screens are drawn in the requested mode`(mode: String, sign: Character) throws {
    let outcome = try CommandLineProcess.run("run", "molecules", "3", "--headless", "60x20", "--graphics", mode)
    #expect(outcome.status == 0)
    let picture = outcome.output.split(separator: "\n").dropFirst(2).dropLast(2).joined()
    if mode == "braille" {
      #expect(picture.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    } else {
      #expect(picture.contains(sign))
    }
    #expect(try CommandLineProcess.run("run", "molecules", "3", "--size", "10x10").status == 2)
  }

  @Test(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  func `a dumb terminal gets linear text`() throws {
    let session = try ScreenSession("run molecules 3", before: "TERM=dumb")
    try session.shows("1 choose, ? help")
    #expect(try session.tmux.value("#{alternate_on}") == "0")
    try session.tmux.type("q")
    try session.tmux.press("Enter")
    try session.expectSaneEnd(status: 0)
  }

  @Test func `without colors, no color is sent, and the picture is in braille`() throws {
    let home = try TemporaryFolder()
    let program = try PseudoTerminal(
      BuiltProgram.workbench.path, ["run", "molecules", "3"], columns: 80, rows: 24,
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "WORKBENCH_HOME": home.path.path,
      ])
    #expect(program.reads("Ball and stick"))
    #expect(program.reads("⠝"))
    program.type("q")
    #expect(program.reads("\u{1B}[?1049l"))
    #expect(program.end() == 0)
    #expect(String(decoding: program.output, as: UTF8.self).firstMatch(of: /\u{1B}\[[0-9;]*[349][0-9];[0-9]/) == nil)
  }
}
