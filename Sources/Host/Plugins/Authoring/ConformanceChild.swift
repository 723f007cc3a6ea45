internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// Runs the conformance suite of the test kit in a child process.
enum ConformanceSuite {
  /// The outcome of the suite.
  enum Outcome: Sendable, Equatable {
    /// The findings; none if all is well.
    case checked([Diagnostic])
    /// The test kit is not installed.
    case notInstalled
    /// The child ended before it reported a result.
    case ended(String)
  }

  private static let limit = 4 << 20
  private static let deadlineInMilliseconds: Int32 = 60_000

  /// Checks the library or manifest at a path; blocks the thread until the child ended.
  ///
  /// - Parameter scratch: A folder for the files of the plugin, which the caller removes.
  static func check(_ path: String, scratch: String, installation: HostInstallation) -> Outcome {
    guard access(PluginSDK(installation).testKit, R_OK) == 0 else { return .notInstalled }
    let result = PluginProbe.run(
      installation.program, ["workbench", ConformanceChild.word, path, scratch], limit: limit,
      deadlineInMilliseconds: deadlineInMilliseconds)
    defer { free(result.output) }
    let response = try? Value(decoding: Array(UnsafeBufferPointer(start: result.output, count: result.count)))
    switch result.end {
    case chost_child_exited:
      if let report = try? ErrorReport(value: response?["error"] ?? .null) { return .ended(report.message) }
      guard let findings = response?.list?.map({ try? Diagnostic(value: $0) }), !findings.contains(nil) else {
        return .ended("it ends the program with status \(result.status)")
      }
      return .checked(findings.compactMap { $0 })
    case chost_child_signalled: return .ended("it dies from \(PluginProbe.name(ofSignal: result.status))")
    case chost_child_timed_out: return .ended("it does not end within \(deadlineInMilliseconds / 1000) s")
    case chost_child_too_talkative: return .ended("it has more findings than can be listed")
    default: return .ended(String(cString: strerror(result.status)))
    }
  }
}

/// The child's side of the conformance suite: `workbench __conform PATH SCRATCH`.
///
/// Writes the findings as a list in byte form to standard output, or a record with `error`.
enum ConformanceChild {
  /// The argument that makes the program a child.
  static let word = "__conform"
  /// The function of the test kit.
  private static let symbol = "workbench_conformance_check"
  private static let answerDescriptor = Mutex<Int32>(-1)

  private typealias Done = @convention(c) @Sendable (UnsafePointer<UInt8>?, Int) -> Void
  private typealias Check = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, @escaping Done) -> Void

  /// Runs the suite and ends the process.
  @MainActor static func start(_ arguments: [String]) -> Never {
    signal(SIGPIPE, SIG_IGN)
    let descriptor = PluginTrialChild.begin()
    answerDescriptor.withLock { $0 = descriptor }
    do {
      guard arguments.count == 2 else { throw PluginRefusal.unreadable(path: "", "a file name is missing") }
      // The test kit makes temporary folders, which nothing else would remove.
      setenv("TMPDIR", arguments[1], 1)
      try check(FilePath.absolute(arguments[0]), scratch: arguments[1])
    } catch {
      let report = ErrorReport(error)
      let response: Value = ["error": report.value]
      response.encoded().withUnsafeBufferPointer { finish($0.baseAddress, $0.count) }
    }
    MainQueue.run()
  }

  @MainActor private static func check(_ path: String, scratch: String) throws {
    let kit = PluginSDK(.current).testKit
    let handle = try PluginLibrary.openLibrary(kit, id: "workbench")
    guard let entry = dlsym(handle, symbol) else { throw PluginRefusal.missingSymbol(id: "workbench", symbol) }
    let check = unsafeBitCast(entry, to: Check.self)
    let plugin = try plugin(path, scratch: scratch)
    let resources = HostInstallation.current.resources(of: plugin.contributions.plugin.id, library: path)
    // Examples name files of the plugin's folder.
    chdir(FilePath.folder(of: path))
    check(PluginEntry.box(plugin), resources, finish)
  }

  private static func plugin(_ path: String, scratch: String) throws -> any Plugin {
    if ProgramManifest.isManifest(path) {
      let (manifest, identity) = try ProgramManifest.read(path)
      return ProgramPlugin(
        ProgramService.Source(manifest: manifest, path: path, identity: identity, state: scratch + "/state"))
    }
    let (bytes, _) = try FileTrust.read(path, isTrusted: true)
    let file: ELFFile
    do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: path, error) }
    guard let stamp = try PluginStamp(file, path: path) else { throw PluginRefusal.noStamp(path: path) }
    return try PluginLibrary.open(path, id: stamp.id, needs: LibraryNeeds(file), installation: .current).plugin
  }

  /// Writes the answer and ends the process.
  private static let finish: Done = { bytes, count in
    let descriptor = ConformanceChild.answerDescriptor.withLock { $0 }
    let isWritten = HostFile.writeAll(Array(UnsafeBufferPointer(start: bytes, count: count)), to: descriptor) == 0
    ProgramProcess.killAll()
    chost_end(isWritten ? 0 : 1)
  }
}
