import Glibc
import PluginAPI
import PluginJSON
import PluginStore

/// Reads and writes session files: JSON, one session each.
enum SessionFile {
  /// The file name extension of sessions.
  static let fileExtension = "molsession"

  /// Returns true if a word names a session file.
  static func isName(_ word: String) -> Bool { word.lowercased().hasSuffix("." + fileExtension) }

  /// Reads a session.
  ///
  /// - Throws: An error of ``SessionError``.
  static func read(_ path: String) throws(ErrorReport) -> MoleculeSession {
    let bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: path)
    } catch {
      if case .missing = error {
        throw ErrorReport(
          code: SessionError.unreadable.code, kind: .notFound, "session '\(path)' not found",
          details: ["file": .text(path)])
      }
      throw SessionError.unreadable(
        "session '\(path)' cannot be read: \(error)", details: ["file": .text(path)])
    }
    let value: Value
    do throws(JSONError) {
      value = try Value(json: bytes)
    } catch {
      if case .libraryMissing = error { throw error.report }
      throw SessionError.noSession(path: path, reason: error.report.message)
    }
    if let version = value["version"].integer, version > MoleculeSession.version {
      throw SessionError.newer(
        "session '\(path)' has version \(version), but this program supports only \(MoleculeSession.version)",
        advice: "open it with a newer Workbench", details: ["file": .text(path)])
    }
    guard let session = MoleculeSession(value) else {
      throw SessionError.noSession(path: path, reason: "its format is not '\(MoleculeSession.format)'")
    }
    return session
  }

  /// Writes a session atomically.
  ///
  /// A file that is not a session is never replaced.
  /// - Throws: An error of ``SessionError``.
  static func write(_ session: MoleculeSession, to path: String) throws(ErrorReport) {
    if StructureSource.exists(path) {
      do throws(ErrorReport) {
        _ = try read(path)
      } catch {
        if error.code == JSONError.libraryMissing(reason: "").report.code { throw error }
        throw ErrorReport(
          code: SessionError.notWritten.code, kind: .refused, "'\(path)' exists and is not a session",
          advice: "choose another name", details: ["file": .text(path)])
      }
    }
    let failure = WholeFile.replace(path, with: text(session.value) + [UInt8(ascii: "\n")], mode: 0o666)
    if failure != 0 { throw WholeFileFailure(number: failure).report(SessionError.notWritten, of: path) }
  }

  /// Returns plain data as readable JSON; numbers are restored exactly.
  static func text(_ value: Value) -> [UInt8] {
    var writer = JSONWriter(indentation: 2)
    write(value, &writer)
    return writer.take()
  }

  /// Writes a value; a list without lists and records is on one line.
  private static func write(_ value: Value, _ writer: inout JSONWriter) {
    if let record = value.record {
      writer.beginObject()
      for field in record.fields {
        writer.key(field.name)
        write(field.value, &writer)
      }
      writer.endObject()
    } else if let list = value.list, !list.allSatisfy({ $0.list == nil && $0.record == nil }) {
      writer.beginArray()
      for element in list { write(element, &writer) }
      writer.endArray()
    } else if let list = value.list {
      let elements = list.map { element in
        var writer = JSONWriter()
        writer.write(element)
        return writer.take()
      }
      writer.write(
        raw: [[UInt8(ascii: "[")], Array(elements.joined(separator: ", ".utf8)), [UInt8(ascii: "]")]].joined())
    } else {
      writer.write(value)
    }
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

/// The errors of session files.
enum SessionError {
  fileprivate static let unreadable = DeclaredError(
    "molecules.session-unreadable", .unusableInput, "the file is not a session, or cannot be read")
  fileprivate static let newer = DeclaredError(
    "molecules.session-newer", .unusableInput, "the session was saved by a newer version")
  fileprivate static let notWritten = DeclaredError(
    "molecules.session-not-written", .failure, "the session could not be written")
  private static let nothingThere = DeclaredError(
    "molecules.session-empty", .notFound, "all molecules of the session are missing")

  fileprivate static func noSession(path: String, reason: String) -> ErrorReport {
    unreadable(
      "'\(path)' is not a session: \(reason)", advice: "give a file written by 'session save'",
      details: ["file": .text(path)])
  }

  static func nothingThere(missing: [String]) -> ErrorReport {
    nothingThere(
      "all molecules of the session are missing: " + missing.joined(separator: ", "),
      advice: "import or fetch them, then open the session again", details: ["missing": missing.fieldValue])
  }

  /// The stable codes of errors and notes.
  static let codes =
    [unreadable, newer, notWritten, nothingThere].map(\.catalogueEntry) + [
      ErrorCodeDescription("molecules.session-incomplete", "some molecules of the session are missing"),
      ErrorCodeDescription(
        "molecules.session-changed", "a file of the session has changed since the session was saved"),
      ErrorCodeDescription("molecules.session-saved", "the session was saved"),
    ]
}
