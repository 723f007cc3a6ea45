/// Where the records of a snapshot were told, in the order of the records.
struct RecordPlaces: Sendable, Hashable {
  private var lists: [ContractType: [RecordPlace]] = [:]

  /// The places of the records of a type; empty where they are not known.
  subscript(type: ContractType) -> [RecordPlace] {
    get { lists[type] ?? [] }
    set { lists[type] = newValue }
  }

  /// The place of a record by its number, from 0; nil if it is not known.
  subscript(type: ContractType, index: Int) -> RecordPlace? {
    guard let list = lists[type], list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// Notes the place of the next record of a type.
  mutating func append(_ place: RecordPlace, to type: ContractType) { lists[type, default: []].append(place) }
}
