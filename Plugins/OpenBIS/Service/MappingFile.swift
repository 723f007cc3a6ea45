import PluginAPI
import PluginJSON
import PluginStore

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
      throw MappingFault(file: path, place: "", reason: "it is no JSON: \(error)")
    }
  }

  /// Returns the bytes of a mapping file.
  static func content(_ path: String) throws(MappingFault) -> [UInt8] {
    do throws(WholeFile.ReadFailure) {
      return try WholeFile.read(path, limitInBytes: limitInBytes)
    } catch {
      var fault = MappingFault(file: path, place: "", reason: error.reason)
      fault.isMissing = error.isMissing
      throw fault
    }
  }
}
