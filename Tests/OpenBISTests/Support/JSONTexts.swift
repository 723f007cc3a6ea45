import PluginJSON

/// Reads the texts of a document, names included, to hold what was written against it.
enum JSONTexts {
  static func all(in document: [UInt8]) throws -> [String] {
    var texts: [String] = []
    let reader = try JSONReader { event in
      switch event {
      case .text(let text), .key(let text): texts.append(text.string)
      default: break
      }
      return .more
    }
    try reader.push(document)
    try reader.finish()
    return texts
  }
}
