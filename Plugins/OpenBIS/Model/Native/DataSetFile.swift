import PluginAPI
import PluginText

/// A file of a data set.
struct DataSetFile: Model, Hashable {
  var dataSet: String
  /// The path without a slash at the beginning.
  var path: String
  var isFolder: Bool
  /// The size in bytes; 0 for folders.
  var size: Int
  /// The CRC-32 stored by the data store; nil if there is none.
  var checksum: UInt32?
  /// The address of the data store server that holds the file.
  var store: String

  static let typeName = "openbis.file"
  static let fields = Fields<DataSetFile> {
    Field("path", \.path, "Path in the data set", heading: "Path")
    Field("isFolder", \.isFolder, "True for folders", heading: "Folder")
    Field("size", \.size, "Size in bytes; 0 for folders", heading: "Size", unit: "byte")
    Field(
      "crc32", { $0.checksum.map { Hexadecimal.text($0, digits: 8) } },
      "CRC-32 in eight hexadecimal digits; null if the data store has none", heading: "CRC-32")
  }

  /// A Boolean value indicating whether the path stays within the data set.
  ///
  /// An address with `..` in it would take the token elsewhere on the host.
  var isInDataSet: Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.allSatisfy { $0 != ".." && $0 != "." } && dataSet.utf8.allSatisfy { $0 != UInt8(ascii: "/") }
      && dataSet != ".." && dataSet != "." && !dataSet.isEmpty
  }

  /// The address of the file's bytes, with the segments of its path escaped; the caller adds the session's token.
  ///
  /// - Source: openBIS, the download servlet of data store servers.
  var address: String {
    let segments = [dataSet[...]] + path.split(separator: "/")
    return ([DataStoreAddress.files(store)] + segments.map(Self.escaped)).joined(separator: "/")
  }

  /// Returns a text with all characters but letters, digits and `-._~` as `%` and two hexadecimal digits.
  ///
  /// - Source: RFC 3986, section 2.3.
  private static func escaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      let isPlain =
        (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
        || [45, 46, 95, 126].contains(byte)
      bytes += isPlain ? [byte] : Array("%\(Hexadecimal.text(byte, digits: 2, isUppercase: true))".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A pattern of file paths: `*` matches any characters but `/`, `**` any characters, and `?` one character.
///
/// The case of letters is ignored. A pattern without a `/` is compared with the file's name only.
struct FilePattern: Sendable, Hashable {
  var text: String

  /// Returns true if a path matches.
  ///
  /// - Complexity: the product of both lengths in the worst case.
  func matches(_ path: String) -> Bool {
    let pattern = Array(text.lowercased().utf8)
    var bytes = Array(path.lowercased().utf8)
    if !pattern.contains(UInt8(ascii: "/")) {
      bytes = Array(bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
    }
    // Dynamic programming over the pattern: the prefixes of the path that match so far.
    var reached = [true] + Array(repeating: false, count: bytes.count)
    var offset = 0
    while offset < pattern.count {
      let isStar = pattern[offset] == UInt8(ascii: "*")
      let isDouble = isStar && offset + 1 < pattern.count && pattern[offset + 1] == UInt8(ascii: "*")
      var next = Array(repeating: false, count: bytes.count + 1)
      if isStar { next[0] = reached[0] }
      for index in bytes.indices {
        let byte = bytes[index]
        if isStar {
          next[index + 1] = reached[index + 1] || (next[index] && (isDouble || byte != UInt8(ascii: "/")))
        } else {
          let fits = pattern[offset] == byte || (pattern[offset] == UInt8(ascii: "?") && byte != UInt8(ascii: "/"))
          next[index + 1] = reached[index] && fits
        }
      }
      reached = next
      offset += isDouble ? 2 : 1
    }
    return reached[bytes.count]
  }
}

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
