import Glibc
import PluginAPI
import PluginJSON

/// Reads mapping files.
enum MappingFile {
  /// The largest mapping file, in bytes.
  static let limitInBytes = 1 << 20

  /// Reads a mapping file.
  ///
  /// - Throws: ``MappingFault``.
  static func read(_ path: String) throws(MappingFault) -> Mapping {
    try Mapping(try value(path), file: path)
  }

  /// What a mapping file says, as plain data.
  static func value(_ path: String) throws(MappingFault) -> Value {
    let bytes = try content(path)
    do {
      return try Value(json: bytes, depth: 64, sizeInBytes: limitInBytes)
    } catch {
      throw MappingFault(file: path, place: "", reason: "it is no JSON: \(error)")
    }
  }

  /// The bytes of a mapping file.
  static func content(_ path: String) throws(MappingFault) -> [UInt8] {
    func fault(_ reason: String) -> MappingFault { MappingFault(file: path, place: "", reason: reason) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      var fault = fault(String(cString: strerror(errno)))
      fault.isMissing = errno == ENOENT || errno == ENOTDIR
      throw fault
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fault("it is no plain file")
    }
    guard status.st_size <= limitInBytes else { throw fault("it is larger than \(limitInBytes) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw fault(String(cString: strerror(errno))) }
    return Array(bytes.prefix(count))
  }
}
