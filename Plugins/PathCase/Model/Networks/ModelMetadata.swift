/// The annotations of a part of a model, apart from its mathematics.
struct ModelMetadata: Sendable, Hashable {
  /// The number of its Systems Biology Ontology term, such as 176 for `SBO:0000176`; nil if the file has none.
  var term: Int?
  var notes = ModelNotes()
  /// The addresses of its database entries, as given in the file: `https://identifiers.org/chebi/CHEBI:17234`.
  var references: [String] = []
  /// The relation to each address that is not the thing itself, such as `isVersionOf`, keyed by address.
  var qualifiers: [String: String] = [:]
}

/// The notes of a file, for people and programs.
struct ModelNotes: Sendable, Hashable {
  /// A line such as `Confidence: 4`, or several lines with one key.
  struct Entry: Sendable, Hashable {
    var key: String
    var values: [String]
    /// A Boolean value indicating whether the values form a list, even if there is only one.
    var isList = false
  }

  /// The lines of the form `key: value`, in the order of the file.
  var entries: [Entry] = []
  /// The notes in XHTML, if they contain more than such lines; otherwise "".
  var markup = ""

  var isEmpty: Bool { entries.isEmpty && markup.isEmpty }

  /// Adds a value; a value with the same key as the last entry joins it in a list.
  mutating func add(_ key: String, _ value: String) {
    if let last = entries.indices.last, entries[last].key == key {
      entries[last].values.append(value)
      entries[last].isList = true
    } else {
      entries.append(Entry(key: key, values: [value]))
    }
  }

  /// Returns whether there is a line with a key, ignoring case.
  func has(_ key: String) -> Bool { entries.contains { $0.key.uppercased() == key } }
}

/// A part of a model that a file may annotate.
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
