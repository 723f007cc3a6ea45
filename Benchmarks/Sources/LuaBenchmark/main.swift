import BenchmarkSupport
@preconcurrency import Dispatch
import Glibc
import PluginAPI

@testable import Host

// A call from Lua above the same command called in Swift: the peer runs the command through the same function of the
// host and waits for it as the script does, but without threads and Lua. `config get` of one setting is the command: it
// reads no file but that of settings, once.
//
// Computing: a loop of Lua without commands, whose instructions are counted, in millions of instructions a second.

/// Runs scripts and commands in this process.
@MainActor struct LuaFigures {
  private let interpreter: CommandInterpreter
  private static let count = 20_000
  private static let rounds = 9

  init(home: String) throws {
    var options = GlobalOptions()
    options.home = home
    options.isQuiet = true
    let session = try HostSession(options: options, environment: [:])
    interpreter = CommandInterpreter(
      session: session, streams: .memory(), pictures: .standard, screens: .standard
    ) { HostCommands.all($0) }
  }

  /// Measures and prints.
  func measure() async throws {
    if let problem = libraryProblem { return Measurement.skip("lua: call of a command", because: problem) }
    try await measureCalls()
    try await measureInstructions()
  }

  private var libraryProblem: String? {
    do throws(ErrorReport) {
      try LuaInterpreter.checkLibrary()
      return nil
    } catch {
      return error.report.message
    }
  }

  private func measureCalls() async throws {
    let code = "for i = 1, \(Self.count) do wb.config.get{'color'} end"
    guard let entry = interpreter.table.entry(method: "config.get") else {
      return Measurement.skip("lua: call of a command", because: "there is no command 'config get'")
    }
    var (script, command): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      script.append(try await time { try await run(code) })
      command.append(
        try await time {
          for _ in 0..<Self.count {
            let output = CollectedOutput()
            try await interpreter.call(entry, ["setting": "color"], options: interpreter.options, output: output)
          }
        })
    }
    let (own, peer) = (
      Timing.median(script) / Double(Self.count) * 1000, Timing.median(command) / Double(Self.count) * 1000
    )
    Measurement("lua: call of a command", own, unit: "µs", peer: ("the command", peer)).print()
    Measurement("lua: call of a command, above the command", own - peer, unit: "µs", bar: 20).print()
  }

  private func measureInstructions() async throws {
    let millions = 20
    // Four instructions a turn, about.
    let code = "local n = 0 for i = 1, \(millions * 1_000_000 / 4) do n = n + i * 2 ~ i end"
    var times: [Double] = []
    for _ in 0..<Self.rounds { times.append(try await time { try await run(code) }) }
    Measurement("lua: instructions", Double(millions) / (Timing.median(times) / 1000), unit: "million/s").print()
  }

  private func run(_ code: String) async throws {
    try await interpreter.run(["exec", "--lua", code], options: interpreter.session.options)
  }

  /// Returns the time of some work, in milliseconds.
  private func time(_ work: @MainActor () async throws -> Void) async throws -> Double {
    let start = Timing.milliseconds()
    try await work()
    return Timing.milliseconds() - start
  }
}

Task { @MainActor in
  let folder = ScratchFolder()
  do {
    try await LuaFigures(home: folder.path).measure()
  } catch {
    Measurement.skip("lua", because: ErrorReport(error).message)
  }
  folder.remove()
  exit(0)
}
dispatchMain()
