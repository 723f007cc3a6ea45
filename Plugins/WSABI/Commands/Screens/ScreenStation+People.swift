import PluginAPI

extension ScreenStation {
  /// Returns a part of the list of people, with their items.
  func peopleAndWait(_ range: Range<Int>, matching text: String) throws -> PeoplePage {
    let records = records()
    return try Waiting.value { try await records.people(range, matching: text) }
  }

  /// Returns the index of a person in the list; nil if the list does not contain them.
  func placeAndWait(of person: Int, matching text: String) throws -> Int? {
    let records = records()
    return try Waiting.value { try await records.place(of: person, matching: text) }
  }

  func personAndWait(_ id: Int) throws -> Person {
    let records = records()
    return try Waiting.value { try await records.person(id) }
  }

  /// Adds a person without details.
  func addPersonAndWait() throws -> Person {
    let (records, time) = (records(), now())
    return try Waiting.value { try await records.addPerson(Biography(), at: time) }
  }

  /// Removes a person again that was left empty, without details and items.
  ///
  /// - Returns: True if there was one.
  func withdrawAndWait(person: Int) throws -> Bool {
    let records = records()
    return try Waiting.value { try await records.withdrawPerson(person) }
  }

  func editAndWait(person: Int, _ biography: Biography) throws -> Person {
    let (records, time) = (records(), now())
    return try Waiting.value { try await records.edit(person: person, biography, at: time) }
  }

  /// Adds a person with the same items and sensors, and no other data.
  func duplicateAndWait(person: Int) throws -> Person {
    let (records, time) = (records(), now())
    return try Waiting.value { try await records.duplicatePerson(person, at: time) }
  }

  /// Deletes a person permanently, once the user has proved their identity.
  func deleteAndWait(person: Int, _ key: ScreenKey) throws {
    try confirmAndWait(key)
    let records = records()
    try Waiting.value { try await records.deletePerson(person) }
  }
}
