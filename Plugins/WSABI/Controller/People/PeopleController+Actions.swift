import PluginAPI

/// The actions on people and items.
extension PeopleController {
  func target(of invocation: ActionInvocation) -> String {
    let person = state.selectedRow.map { "person \($0.person.id)" } ?? ""
    let item = state.item.map { "item \($0.id)" }
    return switch invocation.action {
    case "open": invocation.arguments["item"]?.integer.map { "item \($0)" } ?? item ?? person
    case "select": invocation.arguments["person"]?.integer.map { "person \($0)" } ?? ""
    case "item", "delete-item", "lightbox": item ?? person
    case "add-item", "enroll", "biography", "duplicate", "capture-all", "connect", "delete-person": person
    default: ""
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let row = state.selectedRow
    switch invocation.action {
    case "open": return open(invocation.arguments["item"]?.integer)
    case "add-person":
      // The added person is not among those that are searched for.
      (state.isSearching, state.search) = (false, InputLine())
      let (station, before) = (station, fresh)
      return [
        .compute(Self.adding, label: "adding a person") { _ in
          if let before { _ = try station.withdrawAndWait(person: before) }
          return try station.addPersonAndWait().id
        }
      ]
    case "search":
      state.isSearching = true
      return []
    case "page":
      let seen = PeopleLayout(state).rows.map(\.place)
      let isAfter = invocation.arguments["step"]?.integer != -1
      return select(isAfter ? (seen.last ?? 0) + 1 : (seen.first ?? 0) - max(1, seen.count - 1))
    case "find": return [.ask(Self.askingWords, PromptRequest("Search people", text: state.search.text))]
    case "settings": return [.push(ScreenRequest("settings"))]
    case "log": return [.push(ScreenRequest("log"))]
    case "lock":
      let station = station
      if station.records().capturesUnderWay > 0 {
        let words = "a capture is under way, and could not be kept: stop it first, or wait"
        return [.status(Diagnostic(.note, code: "wsabi.capturing-now", words))]
      }
      let person = fresh
      fresh = nil
      return [
        .compute(Self.locking, label: "locking") { _ in
          if let person { _ = try? station.withdrawAndWait(person: person) }
          return try station.lockAndWait()
        }
      ]
    case "item":
      state.select(item: state.selectedItem + (invocation.arguments["step"]?.integer ?? 0))
      return show()
    case "select": return invocation.arguments["person"]?.integer.map { seek($0) } ?? []
    default: break
    }
    guard let row else { return needsSelection("a person") }
    return perform(invocation.action, row)
  }

  private func perform(_ action: String, _ row: PeoplePage.Row) -> [Effect] {
    let person = row.person.id
    switch action {
    case "add-item": return [.push(ScreenRequest("walkthrough", arguments: ["person": .integer(person)]))]
    case "enroll":
      let choices = EnrollmentTemplate.allCases.map { template in
        let count = template.missing(besides: row.items).count
        return ChoiceRequest.Choice(
          id: template.rawValue, title: template.title, detail: count == 0 ? "all there" : "adds \(count)")
      }
      enrollee = person
      return [.choose(Self.choosingTemplate, ChoiceRequest("What is captured?", choices: choices))]
    case "biography": return [.push(ScreenRequest("biography", arguments: ["person": .integer(person)]))]
    case "duplicate":
      let station = station
      return [
        .compute(Self.duplicating, label: "adding a person") { _ in try station.duplicateAndWait(person: person).id }
      ]
    case "capture-all": return station.sensors.isAllowed() ? captureAll(row) : refuse(.useSensors)
    case "connect":
      guard station.sensors.isAllowed() else { return refuse(.useSensors) }
      let addresses = row.items.compactMap(station.address)
      if !addresses.isEmpty { station.sensors.connect(addresses) }
      return []
    case "delete-person":
      let count = row.items.count == 1 ? "1 item" : "\(row.items.count) items"
      return askDelete(
        .person(person), .deletePeople, "\(row.person.biography.name ?? "the person without a name") with \(count)")
    case "delete-item":
      return state.item.map { askDelete(.item($0.id), .deleteItems, $0.submodality.title) } ?? needsSelection("an item")
    case "lightbox":
      guard let item = state.item, item.capture != nil else { return needsSelection("a capture") }
      return [.push(ScreenRequest("lightbox", arguments: ["item": .integer(item.id)]))]
    default: return []
    }
  }

  /// Opens the card of an item, the selected one by default; a person without items gets a first one.
  func open(_ number: Int? = nil) -> [Effect] {
    guard let row = state.selectedRow else { return needsSelection("a person") }
    if let number { state.select(itemNumber: number) }
    guard let item = number ?? state.item?.id else {
      return [.push(ScreenRequest("walkthrough", arguments: ["person": .integer(row.person.id)]))]
    }
    return [.push(ScreenRequest("card", arguments: ["item": .integer(item)]))]
  }

  private func needsSelection(_ what: String) -> [Effect] {
    [.status(Diagnostic(.note, code: "wsabi.nothing-selected", "select \(what) first"))]
  }

  /// Finds the open decisions about earlier captures of a person.
  func lookBack(_ row: PeoplePage.Row) -> [Effect] {
    let (station, items) = (station, row.items.filter { $0.capture == nil }.map(\.id))
    guard !items.isEmpty else { return [] }
    return [.compute(Self.lookingBack, label: "reading") { _ in try station.questionsAndWait(items) }]
  }

  /// Has the store report who has the permission.
  private func refuse(_ permission: Permission) -> [Effect] {
    let station = station
    return [.compute(Self.refusing, label: "asking") { _ in try station.checkAndWait(permission) }]
  }

  // MARK: Deleting

  /// Asks for confirmation of a deletion twice: in a sheet, and by entering the key again.
  private func askDelete(_ what: Doomed, _ permission: Permission, _ words: String) -> [Effect] {
    guard station.may(permission) else { return refuse(permission) }
    doomed = what
    let choices = [
      ChoiceRequest.Choice(id: "keep", title: "Keep it"),
      ChoiceRequest.Choice(id: "delete", title: "Delete for good", detail: "nobody can bring it back"),
    ]
    let request = ChoiceRequest("Delete \(words)?", choices: choices, selected: "keep", isDestructive: true)
    return [.choose(Self.askingDelete, request)]
  }

  func receiveAnswer(_ message: Message) -> [Effect] {
    switch message {
    case .answered(Self.askingWords, let words?): return find(words)
    case .answered(Self.askingDelete, "delete"?):
      return [.ask(Self.askingKey, PromptRequest("Passphrase or key file once more, to delete", isSecret: true))]
    case .answered(Self.askingKey, let text?) where !text.isEmpty: return delete(ScreenKey(typed: text))
    case .answered(Self.askingDelete, _), .answered(Self.askingKey, _): doomed = nil
    case .finished(Self.adding, let person as Int):
      fresh = person
      return seek(person) + [.push(ScreenRequest("walkthrough", arguments: ["person": .integer(person)]))]
    case .finished(Self.duplicating, let person as Int): return seek(person)
    case .answered(Self.choosingTemplate, let word):
      defer { enrollee = nil }
      return word.flatMap(EnrollmentTemplate.init(rawValue:)).map(enroll) ?? []
    case .finished(Self.enrolling, let outcome as Enrollment.Outcome): return enrolled(outcome)
    case .finished(Self.askingAll, let asked as AskedItems): return captureAll(asked)
    case .finished(Self.lookingBack, let found as [Int: CaptureQuestion]):
      let underWay = Set(station.sensors.operations().compactMap(\.item))
      for (item, question) in found where state.activities[item] == nil && !underWay.contains(item) {
        state.activities[item] = .undecided(question.words)
      }
    case .returned("walkthrough", let value):
      // The item that was just set up is selected next.
      soughtItem = value["item"].integer
      return soughtItem == nil ? [] : reload()
    case .returned("settings", let value): return value["person"].integer.map { seek($0) } ?? []
    case .finished(Self.deleting, _):
      return [.status(Diagnostic(.note, code: "wsabi.deleted", "it is deleted"))] + reload()
    default: break
    }
    return []
  }

  /// Adds the items of a template to the person for whom it was chosen, even if another one is selected by now.
  private func enroll(_ template: EnrollmentTemplate) -> [Effect] {
    guard let person = enrollee else { return [] }
    let station = station
    return [
      .compute(Self.enrolling, label: "adding items") { _ in try station.enrollAndWait(template, person: person) }
    ]
  }

  private func enrolled(_ outcome: Enrollment.Outcome) -> [Effect] {
    soughtItem = outcome.added.first?.id
    let told = Enrollment.words(outcome.leftOut).map { words in
      Effect.status(
        Diagnostic(.warning, code: "wsabi.no-sensor-known", words, advice: "i adds the first item of each kind"))
    }
    return reload() + [told].compactMap { $0 }
  }

  private func delete(_ key: ScreenKey) -> [Effect] {
    guard let doomed else { return [] }
    self.doomed = nil
    let station = station
    return [
      .compute(Self.deleting, label: "deleting") { _ in
        switch doomed {
        case .person(let person): try station.deleteAndWait(person: person, key)
        case .item(let item): try station.deleteAndWait(item: item, key)
        }
      }
    ]
  }
}

// MARK: - All items at once

extension PeopleController {
  /// Captures the open items of a person; those that need a decision first are left to their card.
  fileprivate func captureAll(_ row: PeoplePage.Row) -> [Effect] {
    let underWay = underWay
    let open = row.items.filter { $0.isOpen && !underWay.contains($0.id) && station.order($0) != nil }
    let decided = open.filter { state.activities[$0.id]?.isDecided ?? true }
    if !open.isEmpty {
      // The journal knows the undecided captures of earlier runs, even if the list has not read them yet.
      let (station, left) = (station, open.count - decided.count)
      return [
        .compute(Self.askingAll, label: "reading") { _ in
          AskedItems(items: decided, found: try station.questionsAndWait(decided.map(\.id)), left: left)
        }
      ]
    }
    let words =
      row.items.isEmpty
      ? "there is nothing to capture yet; i adds an item, E those of a template" : "all is captured, or under way"
    return [.status(Diagnostic(.note, code: "wsabi.nothing-to-capture", words))]
  }

  /// The items that are being captured or downloaded.
  private var underWay: Set<Int> {
    Set(state.activities.filter { $0.value == .busy }.map(\.key))
      .union(station.sensors.operations().filter(\.isCapture).compactMap(\.item))
  }

  /// Items to capture, with the open decisions about some of them.
  fileprivate struct AskedItems: Sendable {
    var items: [BiometricItem]
    var found: [Int: CaptureQuestion]
    /// The number of items that were left out already.
    var left: Int
  }

  fileprivate func captureAll(_ asked: AskedItems) -> [Effect] {
    for (item, question) in asked.found { state.activities[item] = .undecided(question.words) }
    let underWay = underWay
    let decided = asked.items.filter { asked.found[$0.id] == nil && !underWay.contains($0.id) }
    if !decided.isEmpty { station.sensors.capture(decided) }
    if asked.left + asked.found.count == 0 { return [] }
    let words = "what is marked by ▲ is captured from its card: something has to be decided there"
    return [.status(Diagnostic(.note, code: "wsabi.decision-needed", words))]
  }
}
