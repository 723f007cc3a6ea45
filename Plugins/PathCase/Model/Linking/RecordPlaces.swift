/// The positions of a snapshot's records, in the order of the records.
struct RecordPlaces: Sendable, Hashable {
  private var lists: [ContractType: [RecordPlace]] = [:]

  /// Accesses the positions of the records of a type; empty if unknown.
  subscript(type: ContractType) -> [RecordPlace] {
    get { lists[type] ?? [] }
    set { lists[type] = newValue }
  }

  /// Returns the position of a record by its index, from 0; nil if unknown.
  subscript(type: ContractType, index: Int) -> RecordPlace? {
    guard let list = lists[type], list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// Adds the position of the next record of a type.
  mutating func append(_ place: RecordPlace, to type: ContractType) { lists[type, default: []].append(place) }
}
