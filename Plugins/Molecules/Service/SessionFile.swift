import Glibc
import PluginAPI
import PluginStore

/// Reads and writes session files: JSON, one session each.
enum SessionFile {
  /// The file name extension of sessions.
  static let fileExtension = "molsession"

  /// Returns true if a word names a session file.
  static func isName(_ word: String) -> Bool { word.lowercased().hasSuffix("." + fileExtension) }

  /// Reads a session.
  ///
  /// - Throws: ``SessionError``.
  static func read(_ path: String) throws(SessionError) -> MoleculeSession {
    let bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: path)
    } catch {
      throw .unreadable(path: path, error)
    }
    let value: Value
    do {
      value = try JSONText.read(bytes)
    } catch {
      throw .noSession(path: path, reason: "it is no JSON, \(error.problem) at byte \(error.offset)")
    }
    if let version = value["version"].integer, version > MoleculeSession.version {
      throw .newer(path: path, version: version)
    }
    guard let session = MoleculeSession(value) else {
      throw .noSession(path: path, reason: "its format is not '\(MoleculeSession.format)'")
    }
    return session
  }

  /// Writes a session atomically.
  ///
  /// A file that is not a session is never replaced.
  /// - Throws: ``SessionError``.
  static func write(_ session: MoleculeSession, to path: String) throws(SessionError) {
    if StructureSource.exists(path), (try? read(path)) == nil { throw .notReplaced(path: path) }
    let bytes = Array((JSONText.written(session.value) + "\n").utf8)
    let failure = WholeFile.replace(path, with: bytes, mode: 0o666)
    if failure != 0 { throw .notWritten(path: path, reason: String(cString: strerror(failure))) }
  }

  /// Removes a file; a missing file counts as removed.
  static func remove(_ path: String) { unlink(path) }

  /// Returns the absolute path with links resolved; the path unchanged if there is no file.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// An error of a session file.
enum SessionError: Error, Equatable, ReportableError {
  case unreadable(path: String, FileError)
  case noSession(path: String, reason: String)
  /// The file was written by a later version.
  case newer(path: String, version: Int)
  /// A file of a different kind has that name.
  case notReplaced(path: String)
  case notWritten(path: String, reason: String)
  /// None of its molecules exists any more.
  case nothingThere(missing: [String])

  var report: ErrorReport {
    switch self {
    case .unreadable(let path, let error):
      let isMissing = if case .missing = error { true } else { false }
      return ErrorReport(
        code: "molecules.session-unreadable", kind: isMissing ? .notFound : .unusableInput,
        isMissing ? "there is no session '\(path)'" : "the session '\(path)' cannot be read: \(error)",
        details: ["file": .text(path)])
    case .noSession(let path, let reason):
      return ErrorReport(
        code: "molecules.session-unreadable", kind: .unusableInput, "'\(path)' is no session: \(reason)",
        advice: "'session save' writes one", details: ["file": .text(path)])
    case .newer(let path, let version):
      return ErrorReport(
        code: "molecules.session-newer", kind: .unusableInput,
        "the session '\(path)' is of version \(version), this program knows version \(MoleculeSession.version)",
        advice: "open it with a newer Workbench", details: ["file": .text(path)])
    case .notReplaced(let path):
      return ErrorReport(
        code: "molecules.session-not-written", kind: .refused, "'\(path)' is there and is no session",
        advice: "save under another name", details: ["file": .text(path)])
    case .notWritten(let path, let reason):
      return ErrorReport(
        code: "molecules.session-not-written", kind: .failure, "the session '\(path)' cannot be written: \(reason)",
        advice: "name a folder that can be written to", details: ["file": .text(path)])
    case .nothingThere(let missing):
      return ErrorReport(
        code: "molecules.session-empty", kind: .notFound,
        "no molecule of the session is there any more: " + missing.joined(separator: ", "),
        advice: "import or fetch them, then open the session again",
        details: ["missing": .list(missing.map(Value.text))])
    }
  }

  /// The stable codes of these errors.
  static let codes = [
    ErrorCodeDescription("molecules.session-unreadable", "the file is no session, or cannot be read"),
    ErrorCodeDescription("molecules.session-newer", "the session was saved by a later version"),
    ErrorCodeDescription("molecules.session-not-written", "the session could not be written there"),
    ErrorCodeDescription("molecules.session-empty", "none of the session's molecules is there any more"),
    ErrorCodeDescription("molecules.session-incomplete", "some of the session's molecules are not there any more"),
    ErrorCodeDescription("molecules.session-changed", "a file of the session is not as it was when it was saved"),
    ErrorCodeDescription("molecules.session-saved", "the session was saved"),
  ]
}
