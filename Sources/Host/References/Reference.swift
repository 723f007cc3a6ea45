/// An id in a public namespace, written `namespace:id`.
struct Reference: Hashable, Sendable {
  let namespace: ReferenceNamespace
  /// The id in its usual form, without a prefix.
  let id: String

  /// The reference with its prefix, such as `uniprot:P69905`.
  var text: String { namespace.rawValue + ":" + id }

  /// The forms that the id may have in results, in small letters.
  ///
  /// A number alone is not one: it can be anything.
  var forms: [String] {
    let isNumber = id.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return [text.lowercased()] + (isNumber ? [] : [id.lowercased()])
  }

  /// Returns the references that a text may mean.
  ///
  /// Read are prefixes (`uniprot:P69905`, `CHEBI:57604`, `EC 2.7.1.11`), addresses of identifiers.org, and ids without a
  /// prefix whose form says what they are.
  static func references(in text: String) -> [Reference] {
    var text = Substring(text)
    for start in ["https://", "http://"] where text.hasPrefix(start) { text = text.dropFirst(start.count) }
    for start in ["identifiers.org/", "urn:miriam:", "EC "] where text.hasPrefix(start) {
      text = text.dropFirst(start.count)
    }
    let word = BytePattern("%3A").replaced(by: ":", in: String(text))
    if let reference = prefixed(word[...]) { return [reference] }
    return ReferenceNamespace.allCases.filter(\.isRecognizable).compactMap { namespace in
      namespace.id(word).map { Reference(namespace: namespace, id: $0) }
    }
  }

  private static func prefixed(_ word: Substring) -> Reference? {
    guard let end = word.firstIndex(where: { $0 == ":" || $0 == "/" }) else { return nil }
    guard let namespace = ReferenceNamespace(prefix: String(word[..<end])) else { return nil }
    let id = String(word[word.index(after: end)...])
    return namespace.id(id).map { Reference(namespace: namespace, id: $0) }
  }
}
