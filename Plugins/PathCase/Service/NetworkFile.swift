import Glibc
import PluginAPI
import PluginStore
import PluginText

/// Reads networks from files of all formats.
enum NetworkFile {
  /// The content of a file.
  enum Content: Sendable {
    case model(SBMLDocument)
    case map(MapDocument)
    case scenario(ScenarioNetwork)
    /// A single document of a snapshot, with its own warnings.
    case document(ContractDocument)
  }

  /// The maximum file size in bytes.
  private static let limitInBytes = 1 << 30

  /// Reads a file, whose format is detected by its content.
  ///
  /// - Parameter shouldStop: Called while waiting for a pipe.
  /// - Throws: ``NetworkFileError``, `CancellationError`.
  static func read(_ path: String, shouldStop: () -> Bool = { Task.isCancelled }) throws -> Content {
    try content(of: try bytes(path, shouldStop: shouldStop), name: path)
  }

  /// Returns the content of a file's bytes.
  ///
  /// - Parameter name: The name of the file in messages.
  /// - Throws: ``NetworkFileError``: the file is not a network, or is unusable for a format's reason.
  static func content(of bytes: [UInt8], name: String) throws -> Content {
    try naming(name) {
      let plain = try MapBytes.plain(bytes)
      return switch try FormatDetector.detect(plain: plain).reader {
      case .map(let read): .map(try read(plain))
      case .other(let read): try read(plain, name)
      }
    }
  }

  /// Returns the result of reading a file's bytes; errors name the file.
  static func naming<Result>(_ name: String, _ read: () throws -> Result) throws -> Result {
    do {
      return try read()
    } catch let error as any ReportableError {
      // Some errors name the file already.
      if error is ContractError || NetworkFileError.noNetwork ~= error { throw error }
      var report = error.report
      report.message = "'\(name)': " + report.message
      report.details["file"] = .text(name)
      throw report
    }
  }

  /// Returns the content of a single document of a snapshot.
  static func document(_ bytes: [UInt8], name: String) throws -> Content {
    var document = try ContractReader().read(bytes, name: name)
    document.warnings += try document.lookedAtAlone()
    return .document(document)
  }

  /// Returns the SHA-256 digest of a file's bytes as 64 lowercase hexadecimal digits.
  static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// Returns the name of a file without folders, its extension, and a trailing `.gz`.
  static func stem(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    var parts = file.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last == "gz" { parts.removeLast() }
    if parts.count > 1 { parts.removeLast() }
    let stem = parts.joined(separator: ".")
    return stem.isEmpty ? String(file) : stem
  }

  /// Returns the content of a file with data for a network, uncompressed if necessary; errors name the file.
  ///
  /// - Throws: ``NetworkFileError``, ``MapError``, the errors of reading, `CancellationError`.
  static func data<Result>(_ path: String, _ read: ([UInt8]) throws -> Result) throws -> Result {
    let bytes = try bytes(path)
    return try naming(path) { try read(MapBytes.plain(bytes)) }
  }

  /// Returns the bytes of a regular file, or of a pipe up to its end.
  ///
  /// - Parameter shouldStop: Called while waiting for a pipe.
  /// - Throws: ``NetworkFileError``, `CancellationError`.
  static func bytes(_ path: String, shouldStop: () -> Bool = { Task.isCancelled }) throws -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limitInBytes)
    } catch {
      if error == .notPlain, let bytes = try PipeFile.bytes(path, limitInBytes: limitInBytes, shouldStop) {
        return bytes
      }
      if error.isMissing {
        throw NetworkFileError.missing("there is no file '\(path)'", advice: "check its name and folder")
      }
      throw NetworkFileError.unreadable(path, reason: SystemReason(error))
    }
  }
}

/// The errors of reading files with networks.
enum NetworkFileError {
  static let all: [DeclaredError] = [missing, unreadable, noNetwork]

  static let missing = DeclaredError(
    "pathcase.no-file", .notFound, "there is no file or pathway of this name")
  static let noNetwork = DeclaredError(
    "pathcase.no-network", .unusableInput, "the file has data for a network, not a network")
  static let unreadable = DeclaredError("pathcase.file-unreadable", .failure, "a file cannot be read")

  /// Returns the error of a file that the system, or its kind, prevents from being read.
  static func unreadable(_ path: String, reason: SystemReason) -> ErrorReport {
    var report = unreadable("'\(path)' cannot be read: \(reason)")
    report.kind = reason.kind
    return report
  }
}

/// Checks network files for problems.
enum NetworkCheck {
  /// A problem in a file.
  struct Finding: Sendable, Hashable {
    /// A Boolean value indicating whether it violates a rule of the format, rather than being merely unusual.
    var isFault: Bool
    var problem: SBMLProblem
  }

  /// Returns the problems of an SBML file: the rules that it violates, and the errors that prevent reading it.
  ///
  /// - Returns: The problems by line; those without a line come first. Nil for other formats, whose readers report the
  ///   problems.
  /// - Throws: ``SBMLError`` if the file is not well-formed XML; ``MapError`` if its format is not recognized.
  static func findings(_ bytes: [UInt8]) throws -> [Finding]? {
    let plain = try MapBytes.plain(bytes)
    guard try FormatDetector.detect(plain: plain).format == .sbml else { return nil }
    var found = try SBMLValidator.problems(plain).map { Finding(isFault: true, problem: $0) }
    do {
      let known = Set(found.map { Place($0.problem) })
      let warnings = try SBMLReader.model(plain).warnings.filter { !known.contains(Place($0)) }
      found += warnings.map { Finding(isFault: false, problem: $0) }
    } catch SBMLError.broken(let problem) where !found.contains(where: { Place($0.problem) == Place(problem) }) {
      found.append(Finding(isFault: true, problem: problem))
    } catch SBMLError.broken {}
    let order = found.indices.sorted { (found[$0].problem.line, $0) < (found[$1].problem.line, $1) }
    return order.map { found[$0] }
  }

  /// The properties by which two findings are the same.
  private struct Place: Hashable {
    var rule: Int?
    var line: Int

    init(_ problem: SBMLProblem) {
      (rule, line) = (problem.rule, problem.line)
    }
  }
}

/// Writes pictures and networks to files named by users.
enum NetworkOutput {
  static let notWritable = DeclaredError("pathcase.not-writable", .failure, "a file cannot be written")

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``notWritable`` if it does not refer to a file: it is empty or `-`.
  static func check(_ path: String) throws(ErrorReport) { try WholeFile.checkOutput(path, notWritable) }

  /// Writes bytes to a file; the old file is kept until the new one is complete.
  ///
  /// Symbolic links are followed; a file that is not regular, such as a pipe or a device, is written to directly.
  /// - Throws: ``notWritable``.
  static func write(_ bytes: [UInt8], to path: String) throws(ErrorReport) {
    try WholeFile.writeOutput(bytes, to: path, notWritable)
  }
}

/// Reads pipes that are named instead of files: `/dev/stdin`, `/dev/fd/3`, named pipes made by `mkfifo`.
enum PipeFile {
  /// The time between two checks for cancellation, in milliseconds.
  private static let waitInMilliseconds: Int32 = 100

  /// Returns all bytes of a pipe, up to its end; nil if the file is not a pipe.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes.
  ///   - shouldStop: Called while waiting for data.
  /// - Throws: ``NetworkFileError/unreadable(_:reason:)``, `CancellationError`.
  static func bytes(_ path: String, limitInBytes limit: Int, _ shouldStop: () -> Bool) throws -> [UInt8]? {
    // Opening does not wait for a writer, because there may be none.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw NetworkFileError.unreadable(path, reason: SystemReason(number: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if shouldStop() { throw CancellationError() }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A pipe without a writer has not ended: there is nothing to read yet, so the reader waits.
      let ready = poll(&state, 1, waitInMilliseconds)
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let count = ready < 0 ? -1 : read(descriptor, &piece, piece.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      if count < 0 { throw NetworkFileError.unreadable(path, reason: SystemReason(number: errno)) }
      if count == 0 { return bytes }
      if bytes.count + count > limit {
        throw NetworkFileError.unreadable(path, reason: SystemReason(.tooLarge(limitInBytes: limit)))
      }
      bytes += piece[..<count]
    }
  }
}

extension SystemReason {
  /// Creates the reason for which a file cannot be read.
  ///
  /// One that exists but is not readable counts as unusable input.
  init(_ failure: WholeFile.ReadFailure) {
    switch failure {
    case .system(let number): self.init(number: number)
    case .notPlain, .tooLarge: self.init(failure.reason, .unusableInput)
    }
  }

  /// Creates a reason with the system's message.
  init(number: Int32) { self.init(number: number, String(cString: strerror(number))) }
}
