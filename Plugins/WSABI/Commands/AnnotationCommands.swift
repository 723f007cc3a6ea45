import PluginAPI

/// Commands that annotate a capture or remove it.
enum AnnotationCommands {
  static let all = [annotate, clear]

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
    let place: Int?
    if let equals {
      let name = text[..<equals].lowercased()
      place = names.firstIndex { $0.lowercased() == name }
    } else {
      place = parts.count == 1 ? 0 : nil
    }
    guard let place, annotation.conditions.indices.contains(place) else {
      throw StationError.unknownPart(String(text[..<(equals ?? text.startIndex)]), parts: names)
    }
    annotation.conditions[place] = condition
  }
}
