import PluginAPI
import PluginText

/// Commands about people.
enum PersonCommands {
  static let all = [add, list, show, edit, duplicate, delete]

  /// The parameter that selects a person.
  static let person = Argument("person", Int.self, kind: .recordNumber, "Number of the person").completedByPeople()

  static let yes = Option(flag: "yes", "Skip the confirmation")

  static let add = WSABICommand(
    CommandDescription("person add", "Add a person", output: .model(Person.self), effects: [.reads, .writes])
      .taking(BiographyField.options + BiographyForms.options + [StationKey.option]).explained(
        """
        \(formsExplained) All fields are optional and can be edited later. The case of gender, hair, race and eye \
        values does not matter. '--trace' and '--record' write … instead of personal data.
        """,
        examples: [
          .init("person add --first-name Ada --last-name Lovelace", "A person with a name"),
          .init("person add --ask", "Enter the fields, hidden from other users of the machine"),
          .init("person add --from ada.txt", "A person from a file"),
        ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let form = try await BiographyForms(call).texts()
    let person = try await records.addPerson(try edited(Biography(), call, form), at: call.context.now())
    try await call.emit(person)
  }

  private static let find = Option(
    "find", String.self, "Words that must all occur in the biography"
  ).personal()
  private static let from = Option("from", in: 0...Int.max, "Rows to skip", default: 0)
  private static let limit = Option("limit", in: 1...100_000, "Maximum number of rows", default: 1000)

  static let list = WSABICommand(
    CommandDescription(
      "person list", "List people, oldest first",
      output: .list(of: Person.self, typeName: WSABIValueType.people)
    ).taking(find, from, limit, StationKey.option).explained(
      "The search ignores case and accents.",
      examples: [.init("person list --find lovelace", "People with that name")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let from = call[from]
    let page = try await records.people(
      from..<from + min(call[limit], Int.max - from), matching: call[find] ?? "", includesItems: false)
    try await call.emit(list: page.rows.map(\.person), typeName: WSABIValueType.people)
    let remaining = page.total - from - page.rows.count
    if remaining > 0 {
      call.warn(Diagnostic(.note, code: "wsabi.more", "\(remaining) more rows; list them with '--from'"))
    }
  }

  static let show = WSABICommand(
    CommandDescription(
      "person show", "Show a person with all items",
      output: .model(Person.WithItems.self)
    ).taking(person, StationKey.option).explained(
      "The audit log records the access.", examples: [.init("person show 1", "Person 1")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let id = call[person]
    let person = try await records.person(id)
    try await call.emit(Person.WithItems(person: person, items: ItemRecord.all(records.items(of: id), records)))
  }

  static let edit = WSABICommand(
    CommandDescription(
      "person edit", "Edit the biography of a person", output: .model(Person.self), effects: [.reads, .writes]
    )
    .taking([person] + BiographyField.options + BiographyForms.options + [StationKey.option]).explained(
      """
      \(formsExplained) Fields that are not given keep their value; an empty text removes a field. '--trace' and \
      '--record' write … instead of personal data.
      """,
      examples: [.init("person edit 1 --notes 'left-handed'", "Change the notes")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let id = call[person]
    let old = try await records.person(id).biography
    let biography = try edited(old, call, try await BiographyForms(call).texts())
    let person = try await records.edit(person: id, biography, at: call.context.now())
    try await call.emit(person)
  }

  static let duplicate = WSABICommand(
    CommandDescription(
      "person duplicate", "Add a person with the same items and sensors", output: .model(Person.self),
      effects: [.reads, .writes]
    ).taking(person, StationKey.option).explained(
      "Copies neither the biography nor captures. Use it for the next person at the same station.",
      examples: [.init("person duplicate 1", "A new person with the same items")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let person = try await records.duplicatePerson(call[person], at: call.context.now())
    try await call.emit(person)
  }

  static let delete = WSABICommand(
    CommandDescription(
      "person delete", "Delete a person with all captures permanently", output: .model(DeletedRecord.self),
      effects: [.reads, .writes, .deletes]
    ).taking(person, yes, StationKey.option, StationKey.standardInput).explained(
      """
      Destroys the keys of the records and overwrites the data, so that recovery is impossible. The command asks for \
      the key of the store. A person with a capture under way, or with data still at a sensor, cannot be deleted; \
      'operations' lists these captures.
      """, examples: [.init("person delete 1 --yes", "In a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .deletePeople)
    let id = call[person]
    let items = try await records.items(of: id)
    try await confirm(
      call, "delete person \(id) with \(items.count) \(items.count == 1 ? "item" : "items") and all captures")
    try await key.confirm(records, .deletePeople)
    try await records.deletePerson(id)
    try await call.emit(DeletedRecord(number: id))
  }

  /// Asks the user to confirm an irreversible action.
  static func confirm(_ call: CommandCall, _ what: String) async throws {
    guard !call[yes] else { return }
    let isConfirmed = try await call.isConfirmed(
      "\(what.prefix(1).uppercased() + what.dropFirst())? This cannot be undone. Type 'yes' to do it")
    if !isConfirmed { throw StationError.notConfirmed(what: what) }
  }

  private static let formsExplained =
    "All users of the machine can see arguments, and the shell stores them in its history: '--ask' and '--from' keep "
    + "personal data out of both."

  /// Returns a biography with the options and a form applied; an option overrides the form.
  ///
  /// - Throws: ``StationError/notAllowed(field:expected:)``: a value that the form does not offer is not accepted here
  ///   either, unless the field already has it, as after an import.
  private static func edited(
    _ old: Biography, _ call: CommandCall, _ form: [String: [String]]
  ) throws(ErrorReport) -> Biography {
    var biography = old
    for field in BiographyField.allCases {
      switch field.property {
      case .text(let path):
        guard let text = call[field.text] ?? form[field.rawValue]?.last, text != old[keyPath: path] else { continue }
        biography[keyPath: path] = try picked(text, field)
      case .list(let path):
        let given = call[field.list]
        let texts = given.isEmpty ? form[field.rawValue] ?? [] : given
        if texts.isEmpty { continue }
        let kept = Set(old[keyPath: path])
        let values = texts.filter { !$0.isEmpty }
        if field == .dateOfBirth, !values.allSatisfy({ kept.contains($0) || CalendarDay($0) != nil }) {
          throw StationError.notAllowed(field: field.rawValue, expected: "a day as yyyy-mm-dd, such as 1815-12-10")
        }
        biography[keyPath: path] = values
      }
    }
    return biography
  }

  /// Returns a text as the field stores it: if the form offers values, the matching one, ignoring case.
  private static func picked(_ text: String, _ field: BiographyField) throws(ErrorReport) -> String {
    guard let choices = field.choices else { return text }
    if let word = choices.first(where: { $0.lowercased() == text.lowercased() }) { return word }
    let named = choices.filter { !$0.isEmpty }.map { "'\($0)'" }.joined(separator: ", ")
    throw StationError.notAllowed(field: field.rawValue, expected: "one of \(named)")
  }
}

extension CommandInput {
  /// Returns the input completed with the numbers of people.
  func completedByPeople() -> Self { completed(by: "person list", column: "id", summaryColumn: "name") }
}

extension BiographyField {
  /// The option of a field with one text.
  fileprivate var text: Option<String?> { Option(rawValue, String.self, summary).personal() }
  /// The option of a field that can have several values.
  fileprivate var list: Option<[String]> { Option(rawValue, list: String.self, summary).personal() }

  /// The options of all fields, in order.
  fileprivate static let options: [any CommandInput] = allCases.map {
    $0.isList ? $0.list as any CommandInput : $0.text
  }
}

/// A biography that is typed or read from a file, so that it does not appear in a command's arguments.
struct BiographyForms: Sendable {
  private let call: CommandCall

  /// The options that give a biography without placing it in the arguments, which other users of the machine can see.
  static let options: [any CommandInput] = [from, ask]

  private static let from = Option(
    "from", String.self,
    "File of 'NAME: VALUE' lines with the names of these options; - for standard input")
  private static let ask = Option(flag: "ask", "Ask for each field; an empty reply keeps its value")

  init(_ call: CommandCall) { self.call = call }

  /// The most bytes of a file: a biography is a page.
  private static let mostBytes = 1 << 20

  /// Returns the texts by the names of their options, in input order; empty if no form is named.
  ///
  /// - Throws: ``StationError/badFormLine(_:_:known:)``, ``StationError/formLineWithoutName(_:)``,
  ///   ``StationError/missing(_:)`` without a terminal, ``ExchangeError`` for a file that cannot be read.
  func texts() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    if let source = call[Self.from], !source.isEmpty {
      texts = try Self.parse(source == "-" ? try await typedLines() : try Self.lines(of: source))
    }
    if call[Self.ask] { texts.merge(try await answers()) { $0 + $1 } }
    return texts
  }

  /// Parses the lines of a form; blank lines and lines that begin with '#' are ignored.
  static func parse(_ lines: [String]) throws(ErrorReport) -> [String: [String]] {
    let names = BiographyField.allCases.map(\.rawValue)
    var texts: [String: [String]] = [:]
    for (index, line) in lines.enumerated() {
      let line = line.trimmed()
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // Without a colon the whole line may be personal data: no error repeats it.
      guard parts.count == 2 else { throw StationError.formLineWithoutName(index + 1) }
      let name = parts[0].trimmed().lowercased()
      guard names.contains(name) else { throw StationError.badFormLine(index + 1, name, known: names) }
      texts[name, default: []].append(parts[1].trimmed())
    }
    return texts
  }

  private static func lines(of path: String) throws -> [String] {
    let bytes = try FileReader.open(path) { file in
      guard file.size <= mostBytes else {
        throw ExchangeError.file(path: path, number: 0, reason: "the form is larger than 1 MiB")
      }
      return try file.bytes(0..<file.size)
    }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  private func typedLines() async throws -> [String] {
    var (lines, count) = ([String](), 0)
    while count <= Self.mostBytes, let line = try await call.inputLine() {
      lines.append(line)
      count += line.utf8.count + 1
    }
    return lines
  }

  private func answers() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for field in BiographyField.allCases {
      let title = field.rawValue.split(separator: "-").joined(separator: " ")
      guard let answer = try await call.ask(PromptRequest("\(title) (\(field.summary)); empty to skip")) else {
        throw StationError.missing(field.rawValue)
      }
      if !answer.isEmpty { texts[field.rawValue] = [answer] }
    }
    return texts
  }
}
