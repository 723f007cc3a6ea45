/// Which fingers of a person were captured, which cannot be, and which are missing.
struct MissingFingers: Sendable, Hashable {
  /// What is known of one finger.
  enum State: String, Sendable, CaseIterable {
    /// There is a capture that shows it.
    case captured
    /// An item says that it is amputated, and no capture shows it.
    case amputated
    /// An item says that no print can be taken of it.
    case unprintable
    /// Items are there for it, and no capture yet.
    case waiting
    /// No item shows it.
    case missing
  }

  /// Of the ten fingers: 1 (right thumb) to 10 (left little finger) at places 0 to 9.
  let states: [State]

  /// - Parameter items: All items of a person.
  init(_ items: [BiometricItem]) {
    var states = [State](repeating: .missing, count: 10)
    for item in items {
      for (part, condition) in zip(item.submodality.parts, item.annotation.conditions) {
        guard let position = part.fingerPosition, (1...10).contains(position) else { continue }
        let state: State =
          switch condition {
          case .amputated: .amputated
          case .unprintable, .bandaged: .unprintable
          case .present: item.capture == nil ? .waiting : .captured
          }
        if Self.weight(state) > Self.weight(states[position - 1]) { states[position - 1] = state }
      }
    }
    self.states = states
  }

  /// What counts where items say different things: a capture shows that the finger is there.
  private static func weight(_ state: State) -> Int {
    switch state {
    case .missing: 0
    case .waiting: 1
    case .unprintable: 2
    case .amputated: 3
    case .captured: 4
    }
  }

  /// The fingers that are still to be captured, 1 … 10.
  var open: [Int] { (1...10).filter { [.waiting, .missing].contains(states[$0 - 1]) } }

  /// What people call a finger, 1 … 10.
  static func title(_ position: Int) -> String {
    Submodality.known.first { $0.parts.count == 1 && $0.parts[0].fingerPosition == position }?.parts[0].title
      ?? "Finger \(position)"
  }
}
