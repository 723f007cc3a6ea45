import PluginAPI

/// Commands about the items of people.
enum ItemCommands {
  static let all = [types, add, list, show, edit, delete, captures, annotate, clear]

  static let types = WSABICommand(
    CommandDescription(
      "item types", "List all submodalities",
      output: .list(of: Submodality.self)
    ).explained("The case of names does not matter.", examples: [.init("item types", "All submodalities")])
  ) { call, _ in
    try await call.emit(list: Submodality.known)
  }

  static let add = WSABICommand(
    CommandDescription(
      "item add", "Add an item to capture, with its sensor", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking([PersonCommands.person] + ItemSetting.options + [StationKey.option]).explained(
      """
      The sensor is not contacted; it may be switched off. 'sensor setup' checks the sensor and guides you step by \
      step. Several items can share a sensor, each with its own settings.
      """,
      examples: [
        .init(
          "item add 1 --submodality RightIndexFlat --sensor http://127.0.0.1:8000/sensor/1", "A flat right index finger"
        ),
        .init("item add 1 --submodality face --sensor camera.local:8080/Service --set width=1280", "With a setting"),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let choice = try ItemSetting(call: call).checkedChoice()
    let draft = try SetupCommand.draft(choice, person: call[PersonCommands.person], call)
    try draft.device.sensorAddress().warnIfUnprotected(call)
    let item = try await records.addItem(draft, at: call.context.now())
    try await call.emit(ItemRecord(item, records))
  }

  private static let listed = Argument(
    "person", optional: Int.self, kind: .recordNumber, "Number of the person; all people if omitted"
  ).completedByPeople()
  private static let missing = Option(flag: "missing", "Only items without a capture")

  static let list = WSABICommand(
    CommandDescription(
      "item list", "List the items of one person or of all people",
      output: .list(of: ItemRecord.self, typeName: WSABIValueType.items)
    ).taking(listed, missing, StationKey.option).explained(
      "Lists items in their order.", examples: [.init("item list 1 --missing", "Items still to capture")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    var items: [BiometricItem]
    if let person = call[listed] {
      items = try await records.items(of: person)
    } else {
      items = try await records.people(0..<Int.max, includesItems: true).rows.flatMap(\.items)
    }
    if call[missing] { items.removeAll { $0.capture != nil } }
    try await call.emit(list: ItemRecord.all(items, records), typeName: WSABIValueType.items)
  }

  static let show = WSABICommand(
    CommandDescription("item show", "Show an item with its newest capture", output: .model(ItemRecord.self))
      .taking(ItemSetting.item, StationKey.option)
      .explained(
        "The audit log records the access. 'undecided' describes the last capture if its outcome is unknown, its data "
          + "is lost, or its data is still at the sensor.", examples: [.init("item show 1", "Item 1")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let item = try await records.item(call[ItemSetting.item])
    try await call.emit(ItemRecord(item, records))
  }

  static let edit = WSABICommand(
    CommandDescription(
      "item edit", "Change what is captured, the sensor or its settings", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking([ItemSetting.item] + ItemSetting.options + [PersonCommands.yes, StationKey.option]).explained(
      """
      Options that are not given keep their value. Captures keep the submodality they were made with. Changing the \
      submodality of an item with captures needs confirmation; its modality cannot change. If the parts of the body \
      change, the annotations are reset. While an item is being captured, its sensor and submodality cannot change.
      """,
      examples: [.init("item edit 1 --sensor http://127.0.0.1:8001", "Another sensor")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let old = try await records.item(call[ItemSetting.item])
    let choice = try ItemSetting(call: call).checkedChoice(over: Walkthrough.Choice(old))
    let draft = try SetupCommand.draft(choice, person: old.person, call)
    try draft.device.sensorAddress().warnIfUnprotected(call)
    // An order that waits for its sensor is not in the journal yet.
    if old.definition != draft.definition, station.isOrdered(old.id) { throw VaultError.captureUnderWay(item: old.id) }
    let item = try await edited(old.id, draft, call, records)
    try await call.emit(ItemRecord(item, records))
  }

  /// Changes an item; if that renames one with captures, the user has to confirm it.
  static func edited(
    _ id: Int, _ draft: DraftItem, _ call: CommandCall, _ records: RecordStore
  ) async throws -> BiometricItem {
    let now = call.context.now()
    do {
      return try await records.edit(item: id, draft, at: now, renaming: call[PersonCommands.yes])
    } catch VaultRefusal.renaming(let item, let submodality) {
      let isConfirmed = try await call.isConfirmed(
        "Change item \(item) to '\(draft.submodality.title)'? Its captures stay '\(submodality.title)'. "
          + "Type 'yes' to change it")
      if !isConfirmed { throw VaultRefusal.renaming(item: item, submodality) }
      return try await records.edit(item: id, draft, at: now, renaming: true)
    }
  }

  static let delete = WSABICommand(
    CommandDescription(
      "item delete", "Delete an item with all captures permanently",
      output: .model(DeletedRecord.self), effects: [.reads, .writes, .deletes]
    ).taking(ItemSetting.item, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      """
      Later items move up. The command asks for the key of the store. An item with a capture under way, or with data \
      still at a sensor, cannot be deleted; 'operations' lists these captures.
      """,
      examples: [.init("item delete 1 --yes", "In a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .deleteItems)
    let id = call[ItemSetting.item]
    _ = try await records.item(id)
    try await PersonCommands.confirm(call, "delete item \(id) with all its captures")
    try await key.confirm(records, .deleteItems)
    try await records.deleteItem(id)
    try await call.emit(DeletedRecord(number: id))
  }

  static let captures = WSABICommand(
    CommandDescription(
      "item captures", "List all captures of an item, newest first",
      output: .list(of: CapturedRecord.self, typeName: WSABIValueType.captures)
    ).taking(ItemSetting.item, StationKey.option).explained(
      "'item show' shows the first capture of the list. Pictures of one response are listed together, in the order of "
        + "their ids.",
      examples: [.init("item captures 1", "All captures of item 1")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let item = try await records.item(call[ItemSetting.item])
    let captures = try await records.captures(of: item.id)
    try await call.emit(list: captures.map { CapturedRecord($0, of: item) }, typeName: WSABIValueType.captures)
  }

  // MARK: Annotations

  private static let parts = Option(
    "part", list: String.self,
    "Part and its condition, as PART=CONDITION; omit PART if the item has one part"
  ).personal()
  private static let notes = Option("notes", String.self, "Notes; an empty text removes them").personal()

  static let annotate = WSABICommand(
    CommandDescription(
      "item annotate", "Annotate parts of the body, or add notes", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking(ItemSetting.item, parts, notes, StationKey.option).explained(
      """
      Conditions are \(conditions). Options that are not given keep their value. Exports to ANSI/NIST-ITL write the \
      conditions of fingers as amputation codes. '--trace' and '--record' write … instead of personal data.
      """,
      examples: [
        .init("item annotate 1 --part amputated", "An item with one part"),
        .init("item annotate 2 --part Little=bandaged --notes 'small cut'", "A slap of four fingers"),
      ])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let item = try await records.item(call[ItemSetting.item])
    var annotation = item.annotation
    for text in call[parts] { try take(text, into: &annotation, item.submodality.parts) }
    if let notes = call[notes] { annotation.notes = notes }
    let edited = try await records.annotate(item.id, annotation, at: call.context.now())
    try await call.emit(ItemRecord(edited, records))
  }

  static let clear = WSABICommand(
    CommandDescription(
      "item clear", "Delete all captures of an item permanently", output: .model(ItemRecord.self),
      effects: [.reads, .writes, .deletes]
    ).taking(ItemSetting.item, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      "The item keeps its sensor and settings. The command asks for the key of the store.",
      examples: [.init("item clear 1 --yes", "In a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station, for: .clearCaptures)
    let id = call[ItemSetting.item]
    _ = try await records.item(id)
    try await PersonCommands.confirm(call, "delete all captures of item \(id)")
    try await key.confirm(records, .clearCaptures)
    let item = try await records.clear(id, at: call.context.now())
    try await call.emit(ItemRecord(item, records))
  }

  private static let conditions = PartCondition.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// Applies the option values for one part.
  private static func take(
    _ text: String, into annotation: inout Annotation, _ parts: [BodyPart]
  ) throws(ErrorReport) {
    let names = parts.map(\.title)
    let equals = text.firstIndex(of: "=")
    let word = text[(equals.map(text.index(after:)) ?? text.startIndex)...].lowercased()
    guard let condition = PartCondition(rawValue: word) else { throw StationError.unknownCondition(text) }
    let index: Int?
    if let equals {
      let name = text[..<equals].lowercased()
      index = names.firstIndex { $0.lowercased() == name }
    } else {
      index = parts.count == 1 ? 0 : nil
    }
    guard let index, annotation.conditions.indices.contains(index) else {
      throw StationError.unknownPart(String(text[..<(equals ?? text.startIndex)]), parts: names)
    }
    annotation.conditions[index] = condition
  }
}

extension CommandInput {
  /// Returns the input completed with the numbers of items.
  func completedByItems() -> Self { completed(by: "item list", column: "id", summaryColumn: "title") }
}

extension Submodality: Model {
  static let typeName = "wsabi.submodality"
  static let fields = Fields<Submodality> {
    Field("modality", { $0.modality?.title ?? "" }, "Kind of data")
    Field("submodality", \.wireName, "Submodality as in the protocol")
    Field("title", \.title, "Title of the submodality")
    Field("parts", { $0.parts.map(\.title) }, "Parts of the body that a capture shows")
  }
}
