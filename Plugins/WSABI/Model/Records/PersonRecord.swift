import PluginAPI

extension Person: Model {
  static let typeName = WSABIValueType.person
  static let fields = Fields<Person> {
    return declared(
      id: \.id, name: \.biography.name, biography: \.biography, created: \.created, modified: \.modified)
  }

  /// Returns the fields of a person, for a person or a model that contains one.
  private static func declared<Root: Sendable>(
    id: any KeyPath<Root, Int> & Sendable, name: any KeyPath<Root, String?> & Sendable,
    biography: any KeyPath<Root, Biography> & Sendable, created: any KeyPath<Root, Instant> & Sendable,
    modified: any KeyPath<Root, Instant> & Sendable
  ) -> [Field<Root>] {
    let names = [
      Field<Root>("id", id, "Number of the person; never reused"), Field<Root>("name", name, "Name as shown"),
    ]
    let details = BiographyField.allCases.map { field in
      switch field.property {
      case .text(let path): Field<Root>(field.key, { $0[keyPath: biography][keyPath: path] }, field.summary)
      case .list(let path): Field<Root>(field.key, { $0[keyPath: biography][keyPath: path] }, field.summary)
      }
    }
    let times = [
      Field<Root>("created", created, "Time the person was added"),
      Field<Root>("modified", modified, "Time of the last edit"),
    ]
    return names + details + times
  }

  /// A person with all items.
  struct WithItems: Model {
    let person: Person
    let items: [ItemRecord]

    /// The name of the items, which no other output of a person has.
    static let itemsName = "items"

    static let typeName = WSABIValueType.person
    static let fields = Fields<WithItems> {
      let person: [Field<WithItems>] = declared(
        id: \.person.id, name: \.person.biography.name, biography: \.person.biography, created: \.person.created,
        modified: \.person.modified)
      return person + [Field(itemsName, \.items, "Items of the person, in order")]
    }
  }
}

extension ModelRecord where M == Person {
  /// The texts of a field of the biography: at most one, unless the field can have several values.
  subscript(biography field: BiographyField) -> [String] {
    let content = value[field.key]
    return content.list?.compactMap(\.text) ?? [content.text].compactMap { $0 }
  }
}

/// A user of the store as commands emit one.
struct UserRecord: Model {
  let user: StoreUser
  /// True for the user who opened the store.
  let isSelf: Bool

  static let typeName = "wsabi.user"
  static let fields = Fields<UserRecord> {
    Field("id", \.user.id, "Number of the user; never reused")
    Field("name", \.user.name, "Name of the user")
    Field("role", \.user.role, "Role of the user")
    Field("isSelf", \.isSelf, "True for the user who opened the store")
  }
}

extension Role: ReadableField {}
