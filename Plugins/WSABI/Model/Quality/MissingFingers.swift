/// The fingers of a person that were captured, cannot be captured, or are missing.
struct MissingFingers: Sendable, Hashable {
  /// The state of one finger.
  enum State: String, Sendable, CaseIterable {
    /// There is a capture that shows it, with a bandage perhaps.
    case captured
    /// An item marks it as amputated, and no capture shows it.
    case amputated
    /// An item marks it as unprintable.
    case unprintable
    /// An item marks it as bandaged; it was not captured, or only together with others.
    case bandaged
    /// There are items for it, but no capture yet.
    case waiting
    /// No item shows it.
    case missing
  }

  /// The states of the ten fingers: 1 (right thumb) to 10 (left little finger) at indices 0 to 9.
  let states: [State]
  /// The conditions of the ten fingers according to the items, in the same order; the most severe if items disagree.
  let conditions: [PartCondition]

  /// - Parameter items: All items of a person.
  init(_ items: [BiometricItem]) {
    var states = [State](repeating: .missing, count: 10)
    var conditions = [PartCondition](repeating: .present, count: 10)
    for item in items.flatMap(Self.byName) {
      for (part, condition) in zip(item.submodality.parts, item.annotation.conditions) {
        guard let position = part.fingerPosition, (1...10).contains(position) else { continue }
        let state = Self.state(condition, item)
        if Self.weight(state) > Self.weight(states[position - 1]) { states[position - 1] = state }
        if Self.gravity(condition) > Self.gravity(conditions[position - 1]) { conditions[position - 1] = condition }
      }
    }
    (self.states, self.conditions) = (states, conditions)
  }

  /// Returns an item split by its names: a capture made under another name does not show the item's current part.
  private static func byName(_ item: BiometricItem) -> [BiometricItem] {
    guard let capture = item.capture, item.isRenamed(capture) else { return [item] }
    var (open, captured) = (item, item)
    open.forgetCaptures()
    captured.submodality = item.made(capture)
    captured.annotation.conditions = item.conditions(of: captured.submodality)
    return [open, captured]
  }

  private static func state(_ condition: PartCondition, _ item: BiometricItem) -> State {
    switch condition {
    case .amputated: .amputated
    case .unprintable: .unprintable
    // A capture of several fingers may have been made for the others.
    case .bandaged: item.capture != nil && item.submodality.parts.count == 1 ? .captured : .bandaged
    case .present: item.capture == nil ? .waiting : .captured
    }
  }

  private static func gravity(_ condition: PartCondition) -> Int {
    switch condition {
    case .present: 0
    case .bandaged: 1
    case .unprintable: 2
    case .amputated: 3
    }
  }

  /// Returns the precedence of a state if items disagree: a capture shows that the finger is there.
  private static func weight(_ state: State) -> Int {
    switch state {
    case .missing: 0
    case .waiting: 1
    case .bandaged: 2
    case .unprintable: 3
    case .amputated: 4
    case .captured: 5
    }
  }

  /// The fingers still to be captured, 1 … 10.
  var open: [Int] { (1...10).filter { [.waiting, .missing].contains(states[$0 - 1]) } }

  /// Returns the common name of a finger, 1 … 10.
  static func title(_ position: Int) -> String {
    Submodality.known.first { $0.parts.count == 1 && $0.parts[0].fingerPosition == position }?.parts[0].title
      ?? "Finger \(position)"
  }
}
