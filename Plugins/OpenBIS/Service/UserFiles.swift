import Glibc
import PluginAPI
import PluginJSON
import PluginStore
import PluginText

/// Output files named by users.
enum OutputFile {
  /// The error of a file that cannot be written.
  static let notWritable = DeclaredError("openbis.not-writable", .usage, "a file cannot be written")

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``notWritable`` if it does not denote a file.
  static func check(_ path: String) throws(ErrorReport) { try WholeFile.checkOutput(path, notWritable) }

  /// Writes bytes to a file.
  ///
  /// - Throws: ``notWritable``.
  static func write(_ bytes: [UInt8], to path: String) throws(ErrorReport) {
    try WholeFile.writeOutput(bytes, to: path, notWritable)
  }

  /// A file that is written piece by piece; the old file is kept until the new one is complete.
  ///
  /// Links are followed; pipes, devices and other special files are written to directly.
  final class Writer {
    private let path: String
    private let file: WholeFileWriter

    /// Starts a file.
    init(_ path: String) throws(ErrorReport) {
      try OutputFile.check(path)
      self.path = path
      do throws(WholeFileFailure) {
        file = try WholeFileWriter(path, mode: 0o666)
      } catch {
        throw error.report(OutputFile.notWritable, of: path)
      }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(ErrorReport) {
      do throws(WholeFileFailure) {
        try file.write(bytes)
      } catch {
        throw error.report(OutputFile.notWritable, of: path)
      }
    }

    /// Moves the file to its destination; without this call nothing of the new file is kept.
    func close() throws(ErrorReport) {
      do throws(WholeFileFailure) {
        try file.close()
      } catch {
        throw error.report(OutputFile.notWritable, of: path)
      }
    }
  }
}

/// A file that holds a secret in its first line.
enum SecretFile {
  /// The error of a file that cannot be read.
  static let unreadable = DeclaredError(
    "openbis.no-token-file", .notFound, "the token file cannot be read")

  private static func failure(_ path: String) -> ErrorReport {
    unreadable(
      "cannot read the token from '\(path)': \(String(cString: strerror(errno)))", details: ["file": .text(path)])
  }

  /// Returns the first line, without blanks at its ends; the file may be a pipe.
  ///
  /// - Throws: ``unreadable``.
  static func firstLine(_ path: String) throws(ErrorReport) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, room) }
      if more < 0 { throw failure(path) }
      if more == 0 || bytes[count..<(count + more)].contains(UInt8(ascii: "\n")) {
        count += more
        break
      }
      count += more
    }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self).trimmed()
  }
}

extension Secret {
  /// A short text that is different for each secret, and does not reveal it.
  ///
  /// - Returns: Ten hexadecimal digits of its SHA-256.
  var fingerprint: String { String(SHA256.hexadecimal(of: Array(text.utf8)).prefix(10)) }
}

/// A reader of mapping files.
enum MappingFile {
  /// The largest mapping file, in bytes.
  static let limitInBytes = 1 << 20

  /// Reads a mapping file.
  ///
  /// - Throws: ``MappingFault``.
  static func read(_ path: String) throws(MappingFault) -> Mapping {
    try Mapping(try value(path), file: path)
  }

  /// Returns the content of a mapping file as plain data.
  static func value(_ path: String) throws(MappingFault) -> Value {
    let bytes = try content(path)
    do {
      return try Value(json: bytes, depth: 64, sizeInBytes: limitInBytes)
    } catch {
      throw MappingFault(file: path, location: "", reason: "it is not JSON: \(error)")
    }
  }

  /// Returns the bytes of a mapping file.
  static func content(_ path: String) throws(MappingFault) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limitInBytes)
    } catch {
      var fault = MappingFault(file: path, location: "", reason: error.reason)
      fault.isMissing = error.isMissing
      throw fault
    }
  }
}
