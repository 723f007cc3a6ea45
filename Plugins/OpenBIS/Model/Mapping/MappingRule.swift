/// A rule for the openBIS objects of a kind and type.
struct MappingRule: Sendable, Hashable {
  /// A relation to the objects that an object belongs to.
  enum Relation: String, Sendable, Hashable, CaseIterable {
    case space, project, experiment, sample, container
    /// The parents, of the object's own kind.
    case parents

    /// Returns the kind of the objects to which objects of a kind have this relation.
    func target(of kind: NativeKind) -> NativeKind {
      switch self {
      case .space: .space
      case .project: .project
      case .experiment: .experiment
      case .sample: .sample
      case .container, .parents: kind
      }
    }
  }

  /// An image of the entity.
  struct Image: Sendable, Hashable {
    /// The origin of the image.
    enum Source: Sendable, Hashable {
      /// A property that holds an address.
      case property(String)
      /// Files of the data set whose path matches; listed when details are requested.
      case files(FilePattern)
    }

    var role: EntityImage.Role
    var source: Source
  }

  var kind: NativeKind
  /// The type's code; `*` at its end matches any ending, nil any type.
  var type: String?
  /// A Boolean value indicating whether the objects become entities; hidden objects may still be taken into others.
  var isShown = true
  var category: MappingTemplate
  var header: MappingTemplate
  var summary: MappingTemplate
  /// The entities below which it is listed: from each list the first relation that the object has.
  var under: [[Relation]] = []
  /// A Boolean value indicating whether it is listed on the first screen.
  var isRoot = false
  /// The group of the first screen that lists it; groups are created as needed.
  var group: MappingTemplate?
  /// The codes of the properties that are shown, in order; nil for all in the order of the type.
  var properties: [String]?
  var images: [Image] = []
  /// The pattern of files that become entities below this one, one for each file.
  var pages: FilePattern?
  /// The relations to objects whose properties are shown with its own.
  var takes: [Relation] = []

  /// Returns true if the rule applies to an object.
  func matches(_ object: NativeObject) -> Bool {
    guard object.kind == kind else { return false }
    guard let type else { return true }
    if type.hasSuffix("*") { return object.type.utf8.starts(with: type.utf8.dropLast()) }
    return object.type.utf8.elementsEqual(type.utf8)
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
    var place = 0
    while place < pattern.count {
      let isStar = pattern[place] == UInt8(ascii: "*")
      let isDouble = isStar && place + 1 < pattern.count && pattern[place + 1] == UInt8(ascii: "*")
      var next = Array(repeating: false, count: bytes.count + 1)
      if isStar { next[0] = reached[0] }
      for index in bytes.indices {
        let byte = bytes[index]
        if isStar {
          next[index + 1] = reached[index + 1] || (next[index] && (isDouble || byte != UInt8(ascii: "/")))
        } else {
          let fits = pattern[place] == byte || (pattern[place] == UInt8(ascii: "?") && byte != UInt8(ascii: "/"))
          next[index + 1] = reached[index] && fits
        }
      }
      reached = next
      place += isDouble ? 2 : 1
    }
    return reached[bytes.count]
  }
}
