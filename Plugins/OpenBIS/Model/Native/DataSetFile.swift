import PluginText

/// Local names of a data set's files, which a server cannot direct elsewhere.
enum LocalName {
  /// The length of the longest name that file systems accept, in bytes, less the ending of incomplete files.
  private static let longest = 240

  /// Returns the name of a single file: the last part of its path, never hidden.
  static func file(_ path: String) -> String {
    let name = segment(path.split(separator: "/").last ?? "")
    return name.hasPrefix(".") ? "_" + name.dropFirst() : name
  }

  /// The name of the list of files in a folder; never the name of a data set's file.
  static let manifest = "manifest.json"

  /// The ending of incomplete files; never that of a data set's file.
  private static let partEnding = ".part"

  /// Returns the local paths of files below one folder, in their order: of safe names, none twice and none reserved.
  static func paths(_ paths: [String]) -> [String] {
    var taken: Set<String> = []
    return paths.map { path in
      var segments = path.split(separator: "/").map { segment($0) }
      if segments.isEmpty { segments = ["_"] }
      if segments[0] == manifest { segments[0] += "~2" }
      if segments[segments.count - 1].hasSuffix(partEnding) { segments[segments.count - 1] += "~2" }
      let name = segments[segments.count - 1]
      var number = 2
      while !taken.insert(segments.joined(separator: "/")).inserted {
        segments[segments.count - 1] = "\(name)~\(number)"
        number += 1
      }
      return segments.joined(separator: "/")
    }
  }

  /// Returns a name without control characters, marks of writing direction and special meaning.
  private static func segment(_ text: Substring) -> String {
    var name = ""
    for scalar in SanitizedText.line(String(text), limit: 4 * longest).unicodeScalars {
      name.unicodeScalars.append(scalar == "\u{FFFD}" || scalar == "\n" || scalar == "\t" ? "_" : scalar)
    }
    while name.utf8.count > longest { name.removeLast() }
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }
}
