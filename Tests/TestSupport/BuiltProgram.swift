public import Foundation

/// The program and the libraries that were built together with the tests.
public enum BuiltProgram {
  /// The build folder of the running tests.
  public static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The program `workbench`.
  public static var workbench: URL { folder.appendingPathComponent("workbench") }

  /// The outcome of a program's run.
  public struct Outcome: Sendable {
    /// The exit status, or 128 and the number of the signal that ended it.
    public var status: Int32
    /// The text on standard output.
    public var output: String
    /// The text on standard error.
    public var errors: String
  }

  /// Runs a program to its end; it is killed after a time (status 137 then).
  ///
  /// - Parameters:
  ///   - environment: Variables beside those of the tests; nil removes one.
  ///   - inheritsEnvironment: True if it has the variables of the tests too.
  public static func run(
    _ program: URL, _ arguments: [String], environment: [String: String?] = [:], inheritsEnvironment: Bool = true,
    deadlineInSeconds: Double = 120
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let inherited = inheritsEnvironment ? ProcessInfo.processInfo.environment : [:]
    process.environment = inherited.merging(environment.compactMapValues { $0 }) { $1 }
    for (name, value) in environment where value == nil { process.environment?[name] = nil }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: a leftover child would keep a pipe open.
    let files = try TemporaryFolder()
    let (output, errors) = (files.url("output"), files.url("errors"))
    for file in [output, errors] { try Data().write(to: file) }
    // Closed here: the handles themselves live on for longer than the process.
    let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
    defer { for handle in handles { try? handle.close() } }
    (process.standardOutput, process.standardError) = (handles[0], handles[1])
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + deadlineInSeconds) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// A folder that is removed with its owner.
public final class TemporaryFolder: Sendable {
  /// The location of the program.
  public let path: URL

  /// Makes an empty folder for the user alone.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(
      at: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: path) }

  /// Returns a file or folder in it.
  public func url(_ name: String) -> URL { path.appendingPathComponent(name) }

  /// Writes a file, making the folders above it.
  @discardableResult
  public func write(_ bytes: [UInt8], _ name: String) throws -> URL {
    let file = url(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    return file
  }
}
