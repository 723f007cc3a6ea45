import PluginText

/// Names for files of data sets on this machine, which no server can turn into something else.
enum LocalName {
  /// The longest name that file systems take, in bytes, less the ending of what is not whole yet.
  private static let longest = 240

  /// The name of a file on its own: the last part of its path, never hidden.
  static func file(_ path: String) -> String {
    let name = segment(path.split(separator: "/").last ?? "")
    return name.hasPrefix(".") ? "_" + name.dropFirst() : name
  }

  /// The name of the list of files in a folder; no file of a data set gets it.
  static let manifest = "manifest.json"

  /// The ending of a file that is not complete yet; no file of a data set gets it.
  private static let partEnding = ".part"

  /// The paths of files below one folder, in their order: each of safe names, none twice and none reserved.
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

  /// A name without control characters, marks of direction and special meaning.
  private static func segment(_ text: Substring) -> String {
    var name = ""
    for scalar in SanitizedText.line(String(text), limit: 4 * longest).unicodeScalars {
      name.unicodeScalars.append(scalar == "\u{FFFD}" || scalar == "\n" || scalar == "\t" ? "_" : scalar)
    }
    while name.utf8.count > longest { name.removeLast() }
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }
}
