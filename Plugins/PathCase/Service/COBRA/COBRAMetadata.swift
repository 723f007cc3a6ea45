import PluginAPI
import PluginJSON

/// The metadata of COBRA's JSON for a part: `annotation` and `notes`.
///
/// Database addresses are grouped by database, without their common prefix; the SBO term is one of the groups. Notes
/// are texts or lists of texts by key.
enum COBRAMetadata {
  /// The common prefixes of addresses.
  ///
  /// The first is added to entries read from groups; older files have the second.
  private static let bases = ["https://identifiers.org/", "http://identifiers.org/"]
  /// The group of addresses in another form.
  private static let others = "url"
  /// The group of the Systems Biology Ontology term.
  private static let ontology = "sbo"

  static func metadata(of part: Record) -> ModelMetadata {
    var metadata = ModelMetadata()
    for group in part["annotation"]?.record?.fields ?? [] {
      for entry in entries(group.value) {
        let term = group.name == ontology ? SBMLForm.term(entry.text) : nil
        if let term, metadata.term == nil {
          metadata.term = term
          continue
        }
        let address = group.name == others ? entry.text : bases[0] + group.name + "/" + entry.text
        metadata.references.append(address)
        if let qualifier = entry.qualifier { metadata.qualifiers[address] = qualifier }
      }
    }
    metadata.notes.entries = (part["notes"]?.record?.fields ?? []).map { field in
      ModelNotes.Entry(
        key: field.name, values: (field.value.list ?? [field.value]).compactMap { text($0) },
        isList: field.value.list != nil)
    }
    return metadata
  }

  /// Returns the entries of a group: a text, a list of texts, or a list of pairs of qualifier and text.
  private static func entries(_ value: Value) -> [(text: String, qualifier: String?)] {
    (value.list ?? [value]).compactMap { entry in
      if let text = entry.text { return (text, nil) }
      guard let pair = entry.list, pair.count == 2, let qualifier = pair[0].text, let text = pair[1].text else {
        return nil
      }
      return (text, qualifier == "is" ? nil : qualifier)
    }
  }

  private static func text(_ value: Value) -> String? {
    switch value.content {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .decimal(let text): text
    case .bool(let isTrue): isTrue ? "true" : "false"
    default: nil
    }
  }

  static func write(_ metadata: ModelMetadata, _ json: inout JSONWriter) {
    writeAnnotation(metadata, &json)
    if metadata.notes.entries.isEmpty { return }
    json.object("notes") { json in
      for entry in merged(metadata.notes.entries) {
        json.key(entry.key)
        write(entry.values, isList: entry.isList, &json)
      }
    }
  }

  private static func writeAnnotation(_ metadata: ModelMetadata, _ json: inout JSONWriter) {
    if metadata.references.isEmpty, metadata.term == nil { return }
    json.key("annotation")
    json.beginObject()
    var found = groups(metadata.references)
    if let term = metadata.term {
      let index = found.firstIndex { $0.name == ontology }
      let others = index.map { found.remove(at: $0).addresses } ?? []
      json.key(ontology)
      write([SBMLForm.term(term)] + others.map { entry(of: $0) }, isList: !others.isEmpty, &json)
    }
    for group in found {
      json.key(group.name)
      json.beginArray()
      for address in group.addresses { write(address, metadata.qualifiers[address], &json) }
      json.endArray()
    }
    json.endObject()
  }

  /// Writes an address; one with a qualifier is written as a pair of both.
  private static func write(_ address: String, _ qualifier: String?, _ json: inout JSONWriter) {
    guard let qualifier else { return json.write(entry(of: address)) }
    json.beginArray()
    json.write(qualifier)
    json.write(entry(of: address))
    json.endArray()
  }

  private static func write(_ values: [String], isList: Bool, _ json: inout JSONWriter) {
    if !isList, let value = values.first { return json.write(value) }
    json.beginArray()
    for value in values { json.write(value) }
    json.endArray()
  }

  /// Returns the entries with those of one key merged, because an object has each key once.
  private static func merged(_ entries: [ModelNotes.Entry]) -> [ModelNotes.Entry] {
    var merged: [ModelNotes.Entry] = []
    var indices: [String: Int] = [:]
    for entry in entries {
      if let index = indices[entry.key] {
        merged[index].values += entry.values
        merged[index].isList = true
      } else {
        indices[entry.key] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }

  /// Returns addresses by database, in the order of the first of each.
  private static func groups(_ addresses: [String]) -> [(name: String, addresses: [String])] {
    var groups: [(name: String, addresses: [String])] = []
    var indices: [String: Int] = [:]
    for address in addresses {
      let name = path(of: address).map { String($0[..<$1]) } ?? others
      if indices[name] == nil {
        indices[name] = groups.count
        groups.append((name, []))
      }
      groups[indices[name] ?? 0].addresses.append(address)
    }
    return groups
  }

  /// Returns an address without the prefix given by its group.
  private static func entry(of address: String) -> String {
    path(of: address).map { String($0[$0.index(after: $1)...]) } ?? address
  }

  /// Returns the part of an address after the common prefix, and the end of its first component; nil without that
  /// prefix.
  private static func path(of address: String) -> (Substring, Substring.Index)? {
    guard let base = bases.first(where: address.hasPrefix) else { return nil }
    let path = address.dropFirst(base.count)
    return path.firstIndex(of: "/").map { (path, $0) }
  }
}
