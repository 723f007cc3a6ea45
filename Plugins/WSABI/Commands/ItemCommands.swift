import PluginAPI

/// Commands about the items of people.
enum ItemCommands {
  static let all = [types, add, list, show, edit, delete, captures, annotate, clear]

  static let types = WSABICommand(
    CommandDescription(
      "item types", "lists what can be captured",
      output: .list(of: Submodality.self)
    ).explained("Each word is taken whatever its case.", examples: [.init("item types", "all of them")])
  ) { call, _ in
    try await call.emit(list: Submodality.known)
  }

  static let add = WSABICommand(
    CommandDescription(
      "item add", "adds something to capture of a person, with its sensor", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking([PersonCommands.person] + ItemSetting.options + [StationKey.option]).explained(
      """
      The sensor is not asked: it may be switched off still. 'sensor setup' asks it, and goes step by step. Several \
      items can share a sensor, each with settings of its own.
      """,
      examples: [
        .init("item add 1 --submodality RightIndexFlat --sensor http://127.0.0.1:8000/sensor/1", "a flat right index"),
        .init("item add 1 --submodality face --sensor camera.local:8080/Service --set width=1280", "with a setting"),
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
    "person", optional: Int.self, kind: .recordNumber, "the person's number; everybody if it is left out"
  ).described { $0.completedByPeople() }
  private static let missing = Option(flag: "missing", "only those without a capture")

  static let list = WSABICommand(
    CommandDescription(
      "item list", "lists the items of a person, or of everybody",
      output: .list(of: ItemRecord.self, typeName: WSABIValueType.items)
    ).taking(listed, missing, StationKey.option).explained(
      "They stand in their order.", examples: [.init("item list 1 --missing", "what is still missing")])
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
    CommandDescription("item show", "shows an item with its newest capture", output: .model(ItemRecord.self))
      .taking(ItemSetting.item, StationKey.option)
      .explained(
        "That it was looked at is told in the audit log. What its last capture left open, such as one of which nobody "
          + "knows whether it was made, is 'undecided'.", examples: [.init("item show 1", "the first item")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let item = try await records.item(call[ItemSetting.item])
    try await call.emit(ItemRecord(item, records))
  }

  static let edit = WSABICommand(
    CommandDescription(
      "item edit", "changes what is captured and with which sensor", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking([ItemSetting.item] + ItemSetting.options + [PersonCommands.yes, StationKey.option]).explained(
      """
      What is not named stays. Captures stay too, under the name they were made under: an item that has some is called \
      something else only once that is confirmed, and is never of another modality. Annotations begin anew if the parts \
      of the body change. An item that is being captured keeps its sensor and what it is of until that has its end.
      """,
      examples: [.init("item edit 1 --sensor http://127.0.0.1:8001", "another sensor")])
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
    } catch VaultError.capturedAs(let item, let submodality) {
      let isConfirmed = try await call.isConfirmed(
        "Item \(item) has captures made as '\(submodality.title)', which keep that name. Type 'yes' to call what is "
          + "captured from now on '\(draft.submodality.title)'")
      if !isConfirmed { throw VaultError.capturedAs(item: item, submodality) }
      return try await records.edit(item: id, draft, at: now, renaming: true)
    }
  }

  static let delete = WSABICommand(
    CommandDescription(
      "item delete", "deletes an item with all its captures, for good",
      output: .model(DeletedRecord.self), effects: [.reads, .writes, .deletes]
    ).taking(ItemSetting.item, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      """
      Those behind it move up. The key of the store is asked for once more. An item with a capture that is under way, \
      or whose data waits at its sensor, is deleted only once 'operations' has nothing of it.
      """,
      examples: [.init("item delete 1 --yes", "in a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    let id = call[ItemSetting.item]
    _ = try await records.item(id)
    try await PersonCommands.confirm(call, "deleting item \(id) with its captures")
    try await key.confirm(records, .deleteItems)
    try await records.deleteItem(id)
    try await call.emit(DeletedRecord(number: id))
  }

  static let captures = WSABICommand(
    CommandDescription(
      "item captures", "lists all captures of an item, the newest first",
      output: .list(of: CapturedRecord.self, typeName: WSABIValueType.captures)
    ).taking(ItemSetting.item, StationKey.option).explained(
      "The first is the one an item shows. Pictures of one answer stand together, in the order of its ids.",
      examples: [.init("item captures 1", "all that was captured for item 1")])
  ) { call, station in
    let records = try await StationKey(call: call).openedRecords(station)
    let item = try await records.item(call[ItemSetting.item])
    let captures = try await records.captures(of: item.id)
    try await call.emit(list: captures.map { CapturedRecord($0, of: item) }, typeName: WSABIValueType.captures)
  }

  // MARK: Annotations

  private static let parts = Option(
    "part", list: String.self,
    "a part and its condition, as PART=CONDITION; the part may be left out where there is one"
  ).described { $0.personal() }
  private static let notes = Option("notes", String.self, "notes; an empty text takes them away").described {
    $0.personal()
  }

  static let annotate = WSABICommand(
    CommandDescription(
      "item annotate", "says what is wrong with parts of the body, and notes", output: .model(ItemRecord.self),
      effects: [.reads, .writes]
    ).taking(ItemSetting.item, parts, notes, StationKey.option).explained(
      """
      Conditions are \(conditions). What is not named stays. Exports to ANSI/NIST-ITL carry the conditions of fingers \
      as amputation codes. '--trace' and '--record' write … in the place of what is said.
      """,
      examples: [
        .init("item annotate 1 --part amputated", "an item with one part"),
        .init("item annotate 2 --part Little=bandaged --notes 'small cut'", "a slap of four fingers"),
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
      "item clear", "deletes all captures of an item, for good; the item stays", output: .model(ItemRecord.self),
      effects: [.reads, .writes, .deletes]
    ).taking(ItemSetting.item, PersonCommands.yes, StationKey.option, StationKey.standardInput).explained(
      "The sensor stays set. The key of the store is asked for once more.",
      examples: [.init("item clear 1 --yes", "in a script, with a key file")])
  ) { call, station in
    let key = StationKey(call: call)
    let records = try await key.openedRecords(station)
    let id = call[ItemSetting.item]
    _ = try await records.item(id)
    try await PersonCommands.confirm(call, "deleting the captures of item \(id)")
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

extension Parameter {
  /// Returns the parameter completed with the numbers of items.
  func completedByItems() -> Parameter { completed(by: "item list", column: "id", summaryColumn: "title") }
}

extension Submodality: Model {
  static let typeName = "wsabi.submodality"
  static let fields = Fields<Submodality> {
    Field("modality", { $0.modality?.title ?? "" }, "what kind of data")
    Field("submodality", \.wireName, "the word of the protocol")
    Field("title", \.title, "what people read")
    Field("parts", { $0.parts.map(\.title) }, "what a capture shows")
  }
}
