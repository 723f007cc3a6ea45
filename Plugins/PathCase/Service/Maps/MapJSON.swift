import PluginAPI
import PluginJSON

/// Reads JSON of maps, which is never deep.
enum MapJSON {
  /// How deep objects and lists may be nested.
  static let depth = 512

  /// Reads a document.
  ///
  /// - Throws: What the handler throws as ``MapError``, and errors of JSON in the words of maps.
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
  /// An error of JSON in the words of maps.
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
