/// What becomes of the openBIS objects of a kind and type.
struct MappingRule: Sendable, Hashable {
  /// What an object belongs to, by its nearest relation.
  enum Relation: String, Sendable, Hashable, CaseIterable {
    case space, project, experiment, sample, container
    /// Its parents, of its own kind.
    case parents

    /// The kind of what objects of a kind belong to by the relation.
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
    /// Where it comes from.
    enum Source: Sendable, Hashable {
      /// A property that holds an address.
      case property(String)
      /// Files of the data set whose path matches; found when details are asked for.
      case files(FilePattern)
    }

    var role: EntityImage.Role
    var source: Source
  }

  var kind: NativeKind
  /// The type's code; `*` at its end means any ending, nil any type.
  var type: String?
  /// Whether there is an entity at all; objects that are hidden may still be taken into others.
  var isShown = true
  var category: MappingTemplate
  var header: MappingTemplate
  var summary: MappingTemplate
  /// The entities below which it is listed: of each list the first relation that the object has.
  var under: [[Relation]] = []
  /// Whether it is listed on the first screen.
  var isRoot = false
  /// The group of the first screen that lists it; groups are made as they are met.
  var group: MappingTemplate?
  /// The codes of the properties that are shown, in order; nil for all in the order of the type.
  var properties: [String]?
  var images: [Image] = []
  /// One to many: each file that matches becomes an entity below this one.
  var pages: FilePattern?
  /// Many to one: the objects whose properties are shown with its own.
  var takes: [Relation] = []

  /// Whether the rule is for an object.
  func matches(_ object: NativeObject) -> Bool {
    guard object.kind == kind else { return false }
    guard let type else { return true }
    if type.hasSuffix("*") { return object.type.utf8.starts(with: type.utf8.dropLast()) }
    return object.type.utf8.elementsEqual(type.utf8)
  }
}

/// A pattern of file paths: `*` means any characters but `/`, `**` any at all, `?` one; the case of letters is not
/// looked at; without a `/` in it only the name of the file is.
struct FilePattern: Sendable, Hashable {
  var text: String

  /// Whether a path matches.
  ///
  /// - Complexity: the product of both lengths at worst.
  func matches(_ path: String) -> Bool {
    let pattern = Array(text.lowercased().utf8)
    var bytes = Array(path.lowercased().utf8)
    if !pattern.contains(UInt8(ascii: "/")) {
      bytes = Array(bytes[((bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
    }
    // Row by row over the pattern: which beginnings of the path can be matched so far.
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
