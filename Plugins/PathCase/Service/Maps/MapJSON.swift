import PluginAPI
import PluginJSON

/// Reads the JSON of maps, which is never deeply nested.
enum MapJSON {
  /// The maximum nesting depth of objects and lists.
  static let depth = 512

  /// Reads a document.
  ///
  /// - Throws: The handler's errors as ``MapError``, and JSON errors converted to it.
  static func read(_ bytes: [UInt8], _ handler: @escaping (JSONEvent) throws -> JSONFlow) throws(MapError) {
    var options = JSONReader.Options()
    options.depth = depth
    options.sizeInBytes = MapBytes.limitInBytes * 4
    do {
      let reader = try JSONReader(options, handler)
      try reader.push(bytes)
      try reader.finish()
    } catch let error as JSONError {
      throw MapError(json: error)
    } catch {
      throw MapError(reading: error)
    }
  }
}

extension MapError {
  /// Creates a map error from a JSON error.
  init(json error: JSONError) {
    let message = error.report.message
    self =
      switch error {
      case .tooDeep: .tooDeep(message)
      case .notUTF8, .otherEncoding: .encoding(message)
      case .tooLarge(let limit): .tooLarge(limitInBytes: limit)
      case .outOfMemory, .libraryMissing: .system(message)
      default: .malformed(message)
      }
  }
}
