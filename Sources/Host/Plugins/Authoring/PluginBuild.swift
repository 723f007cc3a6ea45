import Glibc
import PluginAPI

/// The build of a plugin in its author's folder: a package of Swift, or a program with its manifest.
struct PluginBuild: Sendable {
  /// The kind of a plugin's folder.
  enum Kind: Sendable, Equatable {
    case swift
    case program
  }

  /// The outcome of a build.
  struct Outcome: Sendable, Equatable {
    /// The errors, with file and line if the tool reports them; none for a success.
    var problems: [Diagnostic] = []
    /// The plugin's id; nil if it is not known.
    var id: String?
    /// The library or manifest; nil if the build failed.
    var path: String?
  }

  /// The folder, as an absolute path without links.
  let folder: String
  let kind: Kind

  /// The time limit for a program to print its manifest, in seconds.
  private static let manifestSeconds = 20.0
  /// The most errors that are listed.
  private static let mostProblems = 50

  /// Recognizes the plugin in a folder.
  init(_ folder: String) throws(ErrorReport) {
    guard let real = FilePath.real(folder) else { throw AuthorError.nothingToBuild(folder) }
    self.folder = real
    if access(real + "/" + ProgramManifest.fileName, R_OK) == 0 {
      kind = .program
    } else if access(real + "/Package.swift", R_OK) == 0 {
      kind = .swift
    } else {
      throw AuthorError.nothingToBuild(folder)
    }
  }

  /// The folder for `--plugin-dir`.
  var pluginFolder: String {
    switch kind {
    case .swift: folder + "/.build/debug"
    case .program: folder
    }
  }

  /// Returns the id and file of the latest build; nil without one.
  var built: (id: String, path: String)? {
    switch kind {
    case .program:
      let path = folder + "/" + ProgramManifest.fileName
      guard let (manifest, _) = try? ProgramManifest.read(path) else { return nil }
      return (manifest.stamp.id, path)
    case .swift:
      guard let real = FilePath.real(pluginFolder) else { return nil }
      for name in PluginScan.names(in: real) where name.hasSuffix(".so") {
        let path = real + "/" + name
        guard let (bytes, _) = try? FileTrust.read(path, isTrusted: true), let file = try? ELFFile(bytes),
          let stamp = try? PluginStamp(file, path: path)
        else { continue }
        return (stamp.id, path)
      }
      return nil
    }
  }

  /// Builds; blocks the thread.
  ///
  /// - Parameters:
  ///   - tests: True to run the tests too.
  ///   - onStart: Receives a function that kills the tool that runs.
  func build(tests: Bool, onStart: (@escaping @Sendable () -> Void) -> Void = { _ in }) throws -> Outcome {
    var problems: [Diagnostic]
    switch kind {
    case .swift: problems = try buildPackage(onStart)
    case .program: problems = try writeManifest(onStart)
    }
    guard problems.isEmpty else { return Outcome(problems: problems, id: built?.id) }
    guard let built else {
      return Outcome(problems: [problem("the build has no library with a stamp")])
    }
    if tests { problems = try runTests(onStart) }
    return Outcome(problems: problems, id: built.id, path: built.path)
  }

  /// Returns an error with a message of one or more lines.
  private func problem(_ message: String, line: Int? = nil) -> Diagnostic {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { StyledTextWriter.harmless(String($0)) }.joined(separator: "\n")
    return Diagnostic(.error, code: "host.build-problem", text, line: line)
  }

  // MARK: Swift

  private func buildPackage(_ onStart: (@escaping @Sendable () -> Void) -> Void) throws -> [Diagnostic] {
    problems(of: try ToolRun.run(["swift", "build", "--package-path", folder], onStart: onStart), tool: "swift build")
  }

  /// Returns the errors of the compiler, or else the end of a tool's output; none if it succeeded.
  private func problems(of outcome: ToolRun.Outcome, tool: String) -> [Diagnostic] {
    if outcome.isSuccess { return [] }
    if outcome.end == .exited(127) {
      return [problem("'\(tool.prefix { $0 != " " })' is not installed, or not in PATH")]
    }
    let lines = Self.lines(of: outcome)
    let errors = lines.compactMap { line -> String? in
      if line.hasPrefix("error: ") { return String(line.dropFirst(7)) }
      return BytePattern(": error: ").firstRange(in: line) == nil ? nil : shortened(line)
    }
    var seen: Set<String> = []
    let listed = errors.filter { seen.insert($0).inserted }.prefix(Self.mostProblems)
    if !listed.isEmpty { return listed.map { problem($0) } }
    let last = lines.suffix(20).joined(separator: "\n")
    return [problem(last.isEmpty ? "'\(tool)' ended with \(outcome.end.text)" : last)]
  }

  private static func lines(of outcome: ToolRun.Outcome) -> [String] {
    [outcome.output, outcome.errors].flatMap { bytes in
      bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Returns a message with its file relative to the plugin's folder.
  private func shortened(_ line: String) -> String {
    line.hasPrefix(folder + "/") ? String(line.dropFirst(folder.count + 1)) : line
  }

  // MARK: Programs

  /// Asks the program for its manifest, and writes it if it changed.
  ///
  /// Programs of the SDK print it with `--manifest`. If a program does not, its manifest stays unchanged.
  private func writeManifest(_ onStart: (@escaping @Sendable () -> Void) -> Void) throws -> [Diagnostic] {
    let path = folder + "/" + ProgramManifest.fileName
    let (manifest, identity): (ProgramManifest, FileIdentity)
    do throws(ErrorReport) {
      (manifest, identity) = try ProgramManifest.read(path)
    } catch {
      return [problem(error.report.message)]
    }
    let launch: ProgramProcess.Launch
    do {
      launch = try ProgramService.Source(manifest: manifest, path: path, identity: identity, state: "").launch()
    } catch {
      return [problem(ErrorReport(error).message)]
    }
    let commandLine = [launch.program] + launch.arguments.dropFirst() + ["--manifest"]
    let outcome = try ToolRun.run(commandLine, seconds: Self.manifestSeconds, onStart: onStart)
    guard let printed = try? JSONReader.read(outcome.output), !printed["protocol"].isNull else {
      return outcome.isSuccess || outcome.errors.isEmpty ? [] : [problem(traceback(outcome))]
    }
    guard outcome.isSuccess else { return [problem(traceback(outcome))] }
    do throws(ErrorReport) {
      let made = try ProgramManifest(outcome.output, path: path)
      if made != manifest { try? HostFile.write(outcome.output, to: path, mode: HostFile.resultMode) }
    } catch {
      return [problem(error.report.message)]
    }
    return []
  }

  /// Returns the end of the errors of a program, with files relative to the plugin's folder.
  private func traceback(_ outcome: ToolRun.Outcome) -> String {
    let lines = Self.lines(of: ToolRun.Outcome(end: outcome.end, output: [], errors: outcome.errors))
    return lines.suffix(12).map { line in
      guard let range = BytePattern(folder + "/").firstRange(in: line) else { return line }
      let bytes = Array(line.utf8)
      return String(decoding: bytes[..<range.lowerBound] + bytes[range.upperBound...], as: UTF8.self)
    }.joined(separator: "\n")
  }

  // MARK: Tests

  private func runTests(_ onStart: (@escaping @Sendable () -> Void) -> Void) throws -> [Diagnostic] {
    for command in testCommands {
      let outcome = try ToolRun.run(command, onStart: onStart)
      let problems = problems(of: outcome, tool: command[0] == "env" ? command[3] : command[0])
      if !problems.isEmpty { return problems }
    }
    return []
  }

  /// The commands that run the tests of the plugin, by the files in its folder.
  private var testCommands: [[String]] {
    let tests = folder + "/tests"
    switch kind {
    case .swift: return [["swift", "test", "--package-path", folder]]
    case .program:
      let names = PluginScan.names(in: tests)
      let python = names.contains { $0.hasPrefix("test") && $0.hasSuffix(".py") }
      let scripts = names.filter { $0.hasSuffix(".R") }
      return (python ? [["env", "-C", folder, "python3", "-m", "unittest", "discover", "tests"]] : [])
        + scripts.map { ["env", "-C", folder, "Rscript", "tests/" + $0] }
    }
  }
}
