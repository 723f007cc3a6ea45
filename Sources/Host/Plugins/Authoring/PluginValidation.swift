import Glibc
import PluginAPI

/// The checks of a plugin that `plugin validate` makes.
///
/// They are those of an installation, the rules of the contract and the recorded transcripts. Nothing is installed.
struct PluginValidation: Sendable {
  /// The outcome of a check.
  enum Outcome: String, Sendable, CaseIterable {
    case passed, failed, warning, skipped
  }

  /// A check with its outcome.
  struct Check: Sendable, Hashable {
    var name: String
    var outcome: Outcome
    /// The facts that were found, or the reason; empty if there is nothing to say.
    var detail: String
  }

  let installer: PluginInstaller
  /// A folder for the files of the plugin while it runs; the caller removes it.
  let scratch: String

  /// Runs all checks that are still possible after a failure; blocks the thread.
  ///
  /// - Parameters:
  ///   - path: A library, a folder with a plugin, or a package.
  ///   - records: True to record the transcripts again.
  func checks(_ path: String, records: Bool, _ progress: any WorkProgress) throws -> [Check] {
    var checks: [Check] = []
    do {
      let files = try PluginFiles(at: path)
      let inspection = try installer.inspect(files)
      let isProgram = ProgramManifest.isManifest(files.main.name)
      if records, !isProgram { throw AuthorError.notAProgram(path) }
      checks.append(
        Check(name: isProgram ? "manifest" : "library", outcome: .passed, detail: description(of: inspection)))
      checks.append(lookAlike(inspection.stamp.id))
      progress.report(Progress("describing"))
      let staged = try installer.stage(files, inspection)
      installer.discard(staged)
      let effects = staged.rights.declared
      checks.append(
        Check(name: "description", outcome: .passed, detail: effects.isEmpty ? "no effects declared" : effects))
      let packing = try PluginPacking(files, inspection.stamp)
      checks.append(Check(name: "package", outcome: .passed, detail: description(of: packing, inspection.stamp)))
      guard let main = try mainFile(of: files, path) else {
        checks.append(Check(name: "conformance", outcome: .skipped, detail: "it is a package; validate its folder"))
        return checks
      }
      try progress.checkCancellation()
      progress.report(Progress("checking the rules of the contract"))
      checks += conformance(main)
      if isProgram { checks += try transcripts(main, records: records, progress) }
    } catch {
      if error is CancellationError { throw error }
      if AuthorError.notAProgramCode ~= error { throw error }
      let report = ErrorReport(error)
      checks.append(Check(name: Self.unfinished(checks), outcome: .failed, detail: report.message))
    }
    return checks
  }

  /// Returns the name of the check after those that were made.
  private static func unfinished(_ checks: [Check]) -> String {
    switch checks.last?.name {
    case nil: "files"
    case "look-alike": "description"
    case "description": "package"
    default: "transcripts"
    }
  }

  /// Returns the library or manifest in the author's folder; nil for a package.
  private func mainFile(of files: PluginFiles, _ path: String) throws -> String? {
    if files.package != nil { return nil }
    let real = FilePath.real(path) ?? FilePath.absolute(path)
    let places = [FilePath.folder(of: real), real, real + "/.build/release", real + "/.build/debug"]
    let found = places.map { $0 + "/" + files.main.name }.first { access($0, R_OK) == 0 && isPlaced($0, real) }
    return found.flatMap(FilePath.real)
  }

  /// Returns true for a file that is the named one, or below the named folder.
  private func isPlaced(_ file: String, _ real: String) -> Bool { file == real || file.hasPrefix(real + "/") }

  private func description(of inspection: PluginInstaller.Inspection) -> String {
    "\(inspection.stamp.id) \(inspection.stamp.version)"
  }

  private func description(of packing: PluginPacking, _ stamp: PluginStamp) -> String {
    let size = "\((packing.bytes.count + 1023) / 1024) KiB"
    guard let revision = packing.revision else { return size }
    return "\(size); needs contract revision \(revision), built on \(stamp.revision)"
  }

  private func lookAlike(_ id: String) -> Check {
    guard let warning = PluginID.warning(about: id, among: installer.knownIDs) else {
      return Check(name: "look-alike", outcome: .passed, detail: "")
    }
    return Check(name: "look-alike", outcome: .warning, detail: warning.message)
  }

  private func conformance(_ main: String) -> [Check] {
    switch ConformanceSuite.check(main, scratch: scratch, installation: installer.installation) {
    case .notInstalled:
      return [Check(name: "conformance", outcome: .skipped, detail: "the plugin SDK is not installed")]
    case .ended(let reason): return [Check(name: "conformance", outcome: .failed, detail: reason)]
    case .checked(let findings):
      if findings.isEmpty { return [Check(name: "conformance", outcome: .passed, detail: "")] }
      return findings.map { Check(name: $0.code, outcome: .failed, detail: $0.message) }
    }
  }

  // MARK: Transcripts

  private func transcripts(_ manifest: String, records: Bool, _ progress: any WorkProgress) throws -> [Check] {
    let folder = FilePath.folder(of: manifest) + "/" + ProgramTranscript.folderName
    var names = PluginScan.names(in: folder).filter { $0.hasSuffix(ProgramTranscript.fileExtension) }
    let (description, identity) = try ProgramManifest.read(manifest)
    let source = ProgramService.Source(
      manifest: description, path: manifest, identity: identity, state: scratch + "/state")
    if names.isEmpty {
      guard records else {
        return [Check(name: "transcripts", outcome: .skipped, detail: "there are none; record them with '--record'")]
      }
      names = ["examples" + ProgramTranscript.fileExtension]
    }
    return try names.map { name in
      try progress.checkCancellation()
      progress.report(Progress(name))
      let path = folder + "/" + name
      var transcript: ProgramTranscript
      if access(path, F_OK) == 0 {
        transcript = try ProgramTranscript(path: path)
      } else {
        transcript = try ProgramTranscript.examples(of: description, folder: FilePath.folder(of: manifest))
      }
      let outcome = try TranscriptRun.hold(transcript, with: source, isRecording: records, scratch: scratch)
      let label = ProgramTranscript.folderName + "/" + name
      if let difference = outcome.difference {
        return Check(name: label, outcome: .failed, detail: difference)
      }
      if records {
        transcript = outcome.recorded
        try HostFile.write(transcript.bytes, to: path, mode: HostFile.resultMode, makesFolder: true)
      }
      return Check(
        name: label, outcome: .passed, detail: "\(transcript.steps.count) messages" + (records ? " recorded" : ""))
    }
  }
}
