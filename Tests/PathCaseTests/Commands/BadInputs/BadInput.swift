import PluginAPI
import Testing

/// A bad or odd file: what is to come of it, and one of our own of the same kind.
struct BadInput: Sendable, CustomTestStringConvertible {
  /// What comes of a file.
  enum Outcome: Sendable {
    case refused, warned, taken
  }

  /// The name of the file in the folder of bad files.
  let file: String
  let outcome: Outcome
  /// The code of the error or warning, without `pathcase.`; "" for none.
  let code: String
  /// What the message has in it, so that the place is found: of the real file, and of our own.
  let places: (real: [String], own: [String])
  /// Whether other documents are needed to see what is wrong.
  let needsOthers: Bool
  /// The bytes of our own.
  let own: @Sendable () throws -> [UInt8]

  init(
    _ file: String, _ outcome: Outcome, _ code: String = "", _ places: [String] = [], own ownPlaces: [String]? = nil,
    needsOthers: Bool = false, _ own: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.file = file
    self.outcome = outcome
    self.code = code
    self.places = (places, ownPlaces ?? places)
    self.needsOthers = needsOthers
    self.own = own
  }

  var testDescription: String { file }

  /// The number the name begins with.
  var number: Int { Int(file.prefix(2)) ?? 0 }
}

/// What came of a file.
struct BadInputFinding {
  /// Nil where it was taken.
  var error: ErrorReport?
  var warnings: [Diagnostic] = []

  /// Looks whether it is what should come.
  ///
  /// - Parameters:
  ///   - places: What the message or warning must have in it.
  ///   - what: For messages of the test.
  func expect(_ bad: BadInput, _ places: [String], _ what: String) {
    let code = "pathcase.\(bad.code)"
    switch bad.outcome {
    case .refused:
      #expect(error?.code == code, "\(what): \(String(describing: error)) \(warnings)")
      #expect(error?.exitStatus == 5, "\(what)")
      let message = error?.message ?? ""
      for place in places { #expect(message.contains(place), "\(what): \(message)") }
    case .warned:
      #expect(error == nil, "\(what): \(String(describing: error))")
      let told = warnings.filter { $0.code == code }
      #expect(told.count == 1 && warnings.count == 1, "\(what): \(warnings)")
      for place in places { #expect(told.first?.message.contains(place) == true, "\(what): \(told)") }
    case .taken:
      #expect(error == nil && warnings.isEmpty, "\(what): \(String(describing: error)) \(warnings)")
    }
  }
}
