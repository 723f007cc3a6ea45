import PluginAPI

/// Actions on an item other than capturing.
extension CardController {
  /// Actions that would take the item, or its sensor, away from a capture.
  private static let notMeanwhile: Set<String> = ["sensor", "submodality", "clear", "delete"]

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    if Self.notMeanwhile.contains(invocation.action), state.isCapturing || state.isFetching {
      return [.status(Diagnostic(.note, code: "wsabi.capturing-now", "a capture is under way: stop it first"))]
    }
    switch invocation.action {
    case "press": return state.isBack ? chooseLine() : press()
    case "flip":
      state.isBack.toggle()
      return follow()
    case "sensor": return setUp(from: "device")
    case "submodality": return setUp(from: "submodality")
    case "lightbox" where state.item?.capture != nil:
      return [.push(ScreenRequest("lightbox", arguments: ["item": .integer(itemID)]))]
    case "again": return captureAgain()
    case "clear" where state.item?.capture != nil: return confirm(.clear, Self.askingClear, "Clear the capture?")
    case "delete": return confirm(.delete, Self.askingDelete, "Delete \(state.item?.submodality.title ?? "the item")?")
    case "steal": return askSteal()
    case "choose-line":
      state.selectedLine = invocation.arguments["line"]?.integer ?? state.selectedLine
      return chooseLine()
    default: return []
    }
  }

  /// Leaves the card for the walkthrough; the screen below cleans up and opens it.
  private func setUp(from step: String) -> [Effect] {
    [
      .notify(topic: WSABIScreens.walkthroughTopic, ["item": .integer(itemID), "from": .text(step)]),
      .pop(.null),
    ]
  }

  // MARK: The back

  /// Asks for the condition of the selected part, or for notes.
  func chooseLine() -> [Effect] {
    guard state.item != nil, station.may(.annotate) else { return [] }
    if state.selectedLine >= state.parts.count {
      return [.push(ScreenRequest("notes", arguments: ["item": .integer(itemID)]))]
    }
    let choices = PartCondition.allCases.map { ChoiceRequest.Choice(id: $0.rawValue, title: $0.shownText) }
    let request = ChoiceRequest(
      state.parts[state.selectedLine].title, choices: choices, selected: state.conditions[state.selectedLine].rawValue)
    return [.choose(Self.choosingPart, request)]
  }

  private func annotate(_ change: (inout Annotation) -> Void) -> [Effect] {
    guard let item = state.item else { return [] }
    var annotation = Annotation(conditions: state.conditions, notes: item.annotation.notes)
    change(&annotation)
    guard annotation != item.annotation else { return [] }
    state.item?.annotation = annotation
    let (station, id, said) = (station, itemID, annotation)
    return [.compute(Self.annotating, label: "keeping") { _ in try station.annotateAndWait(id, said) }]
  }

  // MARK: Irreversible actions

  /// Asks for confirmation twice: in a sheet, and by entering the key again.
  private func confirm(_ wish: Wish, _ id: EffectID, _ question: String) -> [Effect] {
    self.wish = wish
    let choices = [
      ChoiceRequest.Choice(id: "keep", title: "Keep it"),
      ChoiceRequest.Choice(
        id: "do", title: wish == .clear ? "Clear it" : "Delete it for good", detail: "nobody can bring it back"),
    ]
    return [.choose(id, ChoiceRequest(question, choices: choices, selected: "keep", isDestructive: true))]
  }

  private func carryOut(_ key: ScreenKey) -> [Effect] {
    guard let wish else { return [] }
    self.wish = nil
    let (station, id) = (station, itemID)
    switch wish {
    case .clear: return [.compute(Self.clearing, label: "clearing") { _ in try station.clearAndWait(id, key) }]
    case .delete: return [.compute(Self.deleting, label: "deleting") { _ in try station.deleteAndWait(item: id, key) }]
    }
  }

  // MARK: Responses

  func receiveAnswer(_ message: Message) -> [Effect] {
    switch message {
    case .answered(Self.choosingPart, let answer?):
      guard let condition = PartCondition(rawValue: answer) else { return [] }
      let line = state.selectedLine
      return annotate { if $0.conditions.indices.contains(line) { $0.conditions[line] = condition } }
    case .returned("notes", let value): return value.text.map { text in annotate { $0.notes = text } } ?? []
    case .answered(Self.askingClear, "do"?), .answered(Self.askingDelete, "do"?):
      return [.ask(Self.askingKey, PromptRequest("Passphrase or key file once more", isSecret: true))]
    case .answered(Self.askingKey, let text?) where !text.isEmpty: return carryOut(ScreenKey(typed: text))
    case .answered(Self.askingClear, _), .answered(Self.askingDelete, _), .answered(Self.askingKey, _): wish = nil
    case .answered(Self.deciding, let answer?): return CaptureQuestion.Answer(rawValue: answer).map(decided) ?? []
    default: return receiveEnd(message)
    }
    return []
  }

  private func receiveEnd(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.annotating, let item as BiometricItem): state.take(item)
    case .finished(Self.clearing, let item as BiometricItem):
      state.take(item)
      return [.status(Diagnostic(.note, code: "wsabi.item-cleared", "the capture is cleared"))] + read()
    case .finished(Self.deleting, _):
      return [.status(Diagnostic(.note, code: "wsabi.deleted", "the item is deleted")), .pop(.null)]
    case .finished(Self.stealing, let isTaken as Bool): return stole(isTaken)
    case .finished(Self.interrupting, _): return decided(.again)
    case .failed(Self.stealing, let report):
      state.ask(.held)
      return station.leaving ?? follow() + [.status(Diagnostic(report, .error))]
    // The card must not show a value that was not stored.
    case .failed(Self.annotating, let report): return station.leaving ?? read() + [.status(Diagnostic(report, .error))]
    case .failed(_, let report): return station.leaving ?? [.status(Diagnostic(report, .error))]
    default: break
    }
    return []
  }
}
