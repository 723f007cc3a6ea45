import Foundation
import TestSupport
import Testing

/// Long work on a screen is canceled while it runs.
@Suite(.serialized) struct EndToEndCancelTests {
  /// A generated file of 1 404 928 atoms on a grid, in a format without residues, so that reading it and finding its
  /// bonds by distance takes far longer than the delay before progress is shown.
  private static let atoms: [UInt8] = {
    let side = 112
    let steps = (0..<side).map { Array(String(format: " %.1f", Double($0) * 1.5).utf8) }
    var bytes = Array("\(side * side * side)\ngrid\n".utf8)
    bytes.reserveCapacity(32 << 20)
    for z in steps {
      for y in steps {
        for x in steps {
          bytes.append(UInt8(ascii: "C"))
          bytes += x
          bytes += y
          bytes += z
          bytes.append(UInt8(ascii: "\n"))
        }
      }
    }
    return bytes
  }()

  @Test(arguments: ["\u{1B}", "\u{03}"])
  func `a key cancels reading a large file`(key: String) throws {
    let home = try TemporaryFolder()
    let file = try home.write(Self.atoms, "grid.xyz").path
    let program = try PseudoTerminal(
      BuiltProgram.workbench.path, ["run", "molecules", file], columns: 80, rows: 24,
      environment: [
        "TERM": "xterm", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        "WORKBENCH_HOME": home.path.path,
      ])
    try #require(program.reads("esc cancels"))
    let seen = program.output.count
    program.type(key)
    try #require(program.reads("Loading canceled", from: seen))
    program.type("q")
    #expect(program.end() == 0)
  }
}
