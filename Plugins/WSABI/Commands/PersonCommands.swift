import PluginAPI

/// Commands about people.
enum PersonCommands {
  static let all = [add, list, show, edit, duplicate, delete]

  /// The parameter that selects a person.
  static let person = Argument("person", Int.self, kind: .recordNumber, "the person's number").described {
    $0.completedByPeople()
  }

  static let yes = Option(flag: "yes", "do it without asking")

  static let add = WSABICommand(
    CommandDescription("person add", "adds a person", output: .model(Person.self), effects: [.reads, .writes])
      .taking(BiographyFields.options + BiographyForms.options + [StationKey.option]).explained(
        """
        \(formsExplained) All of it may be left out, and be edited later. Gender, hair, race and eyes are words of the form, whatever their \
        case. '--trace' and '--record' write … in the place of what is said.
        """,
        examples: [
          .init("person add --first-name Ada --last-name Lovelace", "a person with a name"),
          .init("person add --ask", "a person whose name no other user of the machine sees"),
          .init("person add --from ada.txt", "a person from a file"),
        ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let form = try await BiographyForms(call).texts()
    let person = try await records.addPerson(try said(call, form, of: Biography()), at: call.context.now())
    try await call.emit(person)
  }

  private static let find = Option(
    "find", String.self, "words that all must be found in what is said of a person"
  ).described { $0.personal() }
  private static let from = Option("from", in: 0...Int.max, "the place to begin at", default: 0)
  private static let limit = Option("limit", in: 1...100_000, "how many at most", default: 1000)

  static let list = WSABICommand(
    CommandDescription(
      "person list", "lists people, the oldest first",
      output: .list(of: Person.self, typeName: WSABIValueType.people)
    ).taking(find, from, limit, StationKey.option).explained(
      "Case and accents make no difference to what is found.",
      examples: [.init("person list --find lovelace", "everybody of that name")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let from = call[from]
    let page = try await records.people(
      from..<from + min(call[limit], Int.max - from), matching: call[find] ?? "", includesItems: false)
    try await call.emit(list: page.rows.map(\.person), typeName: WSABIValueType.people)
    let remaining = page.total - from - page.rows.count
    if remaining > 0 { call.warn(Diagnostic(.note, code: "wsabi.more", "\(remaining) more; use '--from'")) }
  }

  static let show = WSABICommand(
    CommandDescription(
      "person show", "shows a person with all items",
      output: .model(Person.WithItems.self)
    ).taking(person, StationKey.option).explained(
      "That a person was looked at is told in the audit log.", examples: [.init("person show 1", "the first person")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let id = call[person]
    let person = try await records.person(id)
    try await call.emit(Person.WithItems(person: person, items: ItemRecord.all(records.items(of: id), records)))
  }

  static let edit = WSABICommand(
    CommandDescription(
      "person edit", "changes what is said of a person", output: .model(Person.self), effects: [.reads, .writes]
    )
    .taking([person] + BiographyFields.options + BiographyForms.options + [StationKey.option]).explained(
      """
      \(formsExplained) What is not named stays; an empty text removes what was there. '--trace' and '--record' write … in the place of \
      what is said.
      """,
      examples: [.init("person edit 1 --notes 'left-handed'", "the notes of a person")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let id = call[person]
    let old = try await records.person(id).biography
    let biography = try said(call, try await BiographyForms(call).texts(), of: old)
    let person = try await records.edit(person: id, biography, at: call.context.now())
    try await call.emit(person)
  }

  static let duplicate = WSABICommand(
    CommandDescription(
      "person duplicate", "adds a person with the same items and sensors", output: .model(Person.self),
      effects: [.reads, .writes]
    ).taking(person, StationKey.option).explained(
      "Nothing said of the person and nothing captured is copied: the next person at the same station begins with it.",
      examples: [.init("person duplicate 1", "a new person to capture with the same sensors")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = try await records.duplicatePerson(call[person], at: call.context.now())
    try await call.emit(person)
  }

  static let delete = WSABICommand(
    CommandDescription(
      "person delete", "deletes a person with all captures, for good", output: .model(DeletedRecord.self),
      effects: [.reads, .writes, .deletes]
    ).taking(person, yes, StationKey.option, StationKey.standardInput).explained(
      """
      The keys of the records are destroyed and what lies under them is overwritten: nobody can bring them back. The \
      key of the store is asked for once more. Somebody with a capture that is under way, or whose data waits at its \
      sensor, is deleted only once 'operations' has nothing of it.
      """, examples: [.init("person delete 1 --yes", "in a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    let id = call[person]
    let items = try await records.items(of: id)
    try await confirm(call, "deleting person \(id) with \(items.count) items")
    try await key.confirm(records, .deletePeople)
    try await records.deletePerson(id)
    try await call.emit(DeletedRecord(number: id))
  }

  /// Asks the user to confirm an irreversible action.
  static func confirm(_ call: CommandCall, _ what: String) async throws {
    guard !call[yes] else { return }
    let answer = try await call.ask(PromptRequest("\(what) cannot be undone. Type 'yes' to do it"))
    guard answer?.lowercased() == "yes" else { throw StationError.notConfirmed(what: what) }
  }

  private static let formsExplained =
    "Arguments can be seen by every user of the machine and stay in the history of the shell: '--ask' and '--from' keep "
    + "what is said of a person out of both."

  /// Returns a biography with the options and a form applied; an option overrides the form.
  ///
  /// - Throws: ``StationError/notAllowed(field:expected:)``: a value that the form does not offer is not accepted here
  ///   either, unless the field already has it, as after an import.
  private static func said(
    _ call: CommandCall, _ form: [String: [String]], of old: Biography
  ) throws(ErrorReport) -> Biography {
    var biography = old
    for field in BiographyFields.texts {
      guard let text = call[field.option] ?? form[field.name]?.last, text != old[keyPath: field.path] else {
        continue
      }
      biography[keyPath: field.path] = try picked(text, field.name)
    }
    for field in BiographyFields.lists {
      let given = call[field.option]
      let texts = given.isEmpty ? form[field.name] ?? [] : given
      if texts.isEmpty { continue }
      let kept = Set(old[keyPath: field.path])
      let said = texts.filter { !$0.isEmpty }
      if field.name == "date-of-birth", !said.allSatisfy({ kept.contains($0) || CalendarDay($0) != nil }) {
        throw StationError.notAllowed(field: field.name, expected: "a day as yyyy-mm-dd, such as 1815-12-10")
      }
      biography[keyPath: field.path] = said
    }
    return biography
  }

  /// Returns a text as the field stores it: if the form offers values, the matching one, ignoring case.
  private static func picked(_ text: String, _ field: String) throws(ErrorReport) -> String {
    guard let words = choices[field] else { return text }
    if let word = words.first(where: { $0.lowercased() == text.lowercased() }) { return word }
    let named = words.filter { !$0.isEmpty }.map { "'\($0)'" }.joined(separator: ", ")
    throw StationError.notAllowed(field: field, expected: "one of \(named)")
  }

  /// The values of fields that offer some.
  private static let choices = [
    "gender": Biography.genders, "hair-color": Biography.hairColors, "race": Biography.races,
    "eye-color": Biography.eyeColors,
  ]
}

extension Parameter {
  /// Returns the parameter completed with the numbers of people.
  func completedByPeople() -> Parameter { completed(by: "person list", column: "id", summaryColumn: "name") }
}
