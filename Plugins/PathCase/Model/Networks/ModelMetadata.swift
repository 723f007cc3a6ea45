/// The remarks of a file on a part of a model, besides its mathematics.
struct ModelMetadata: Sendable, Hashable {
  /// The number of its term of the Systems Biology Ontology, such as 176 for `SBO:0000176`; nil if the file has none.
  var term: Int?
  var notes = ModelNotes()
  /// Addresses of it in databases, as the file has them: `https://identifiers.org/chebi/CHEBI:17234`.
  var references: [String] = []
  /// The relation to an address, where that is not the thing itself: `isVersionOf`, by address.
  var qualifiers: [String: String] = [:]
}

/// Notes of a file for people and programs.
struct ModelNotes: Sendable, Hashable {
  /// A line such as `Confidence: 4`, or several of one key.
  struct Entry: Sendable, Hashable {
    var key: String
    var values: [String]
    /// A Boolean value indicating whether the values are a list, even if there is one alone.
    var isList = false
  }

  /// The lines of the form `key: value`, in the order of the file.
  var entries: [Entry] = []
  /// The notes in XHTML, if they are more than such lines; else "".
  var markup = ""

  var isEmpty: Bool { entries.isEmpty && markup.isEmpty }

  /// Adds a value; one of the same key as the last makes a list with it.
  mutating func add(_ key: String, _ value: String) {
    if let last = entries.indices.last, entries[last].key == key {
      entries[last].values.append(value)
      entries[last].isList = true
    } else {
      entries.append(Entry(key: key, values: [value]))
    }
  }

  /// A Boolean value indicating whether there is a line of a key, in small or large letters.
  func has(_ key: String) -> Bool { entries.contains { $0.key.uppercased() == key } }
}

/// A part of a model that a file may have remarks on.
protocol AnnotatedPart {
  var metadata: ModelMetadata { get set }
}

extension AnnotatedPart {
  var references: [String] {
    get { metadata.references }
    set { metadata.references = newValue }
  }

  var qualifiers: [String: String] {
    get { metadata.qualifiers }
    set { metadata.qualifiers = newValue }
  }
}
