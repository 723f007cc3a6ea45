import PluginAPI

/// Finds the plugin that opens a file, by declared extensions and first bytes.
enum FileOpening {
  /// A plugin that opens a file.
  struct Match: Equatable, Sendable {
    var plugin: String
    var type: FileTypeDescription
    /// The quality of the match: the length of the extension, and more if the first bytes match too.
    fileprivate var score: Int
  }

  private static let longestMagic = 512

  /// Returns the best match of a file and the others, best first; equally good ones in the order of the plugins.
  ///
  /// - Parameter path: An absolute path; the file must be there.
  /// - Throws: ``FileOpeningError/noReader(path:extensions:)``, ``HostFileError``.
  static func match(_ path: String, in contributions: [StoredContributions]) throws -> (best: Match, others: [Match]) {
    let start = try HostFile.start(of: path, count: longestMagic)
    let name = String(path.split(separator: "/").last ?? "").lowercased()
    var matches: [Match] = []
    for plugin in contributions {
      for type in plugin.fileTypes where type.screen != nil || type.command != nil {
        let score = score(of: type, name: name, start: start)
        if score > 0 { matches.append(Match(plugin: plugin.plugin.id, type: type, score: score)) }
      }
    }
    let sorted = matches.enumerated().sorted { left, right in
      (right.element.score, left.offset) < (left.element.score, right.offset)
    }.map(\.element)
    guard let best = sorted.first else {
      let known = contributions.flatMap { $0.fileTypes.flatMap(\.extensions) }
      throw FileOpeningError.noReader(path: path, extensions: Set(known).sorted())
    }
    return (best, sorted.dropFirst().filter { $0.plugin != best.plugin || $0.type.screen != best.type.screen })
  }

  private static func score(of type: FileTypeDescription, name: String, start: [UInt8]) -> Int {
    let fitting = type.extensions.filter { name.hasSuffix("." + $0) }.map(\.utf8.count).max() ?? 0
    let fitsMagic = !type.magic.isEmpty && start.starts(with: type.magic)
    // Any extension counts more than the first bytes alone; both together most.
    return (fitting > 0 ? 1000 + fitting : 0) + (fitsMagic ? 500 : 0)
  }
}

/// An error in opening a file.
enum FileOpeningError {
  static let noReader = DeclaredError("host.no-reader", .notFound, "no plugin reads files of this type")
  static func noReader(path: String, extensions: [String]) -> ErrorReport {
    noReader(
      "no plugin reads files of the type of '\(path)'",
      advice: extensions.isEmpty
        ? "install a plugin that reads files" : "supported file extensions are " + extensions.joined(separator: ", "))
  }

}
