import PluginJSON

/// The texts of a document, including names, for comparison with the exported data.
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
