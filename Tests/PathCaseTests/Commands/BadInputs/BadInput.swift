import PluginAPI
import Testing

/// A malformed or odd file: the expected outcome, and a synthetic file of the same kind.
struct BadInput: Sendable, CustomTestStringConvertible {
  /// The expected outcome of reading a file.
  enum Outcome: Sendable {
    case refused, warned, taken
  }

  /// The name of the file in the folder of bad files.
  let file: String
  let outcome: Outcome
  /// The code of the error or warning, without `pathcase.`; "" for none.
  let code: String
  /// The expected parts of the message, which show the position: for the real file, and for the synthetic one.
  let places: (real: [String], own: [String])
  /// A Boolean value indicating whether the problem is visible only together with other documents.
  let needsOthers: Bool
  /// Returns the bytes of the synthetic file.
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

  /// The number at the beginning of the file name.
  var number: Int { Int(file.prefix(2)) ?? 0 }
}

/// The outcome of reading a file.
struct BadInputFinding {
  /// The error; nil if the file was accepted.
  var error: ErrorReport?
  var warnings: [Diagnostic] = []

  /// Checks that the outcome is the expected one.
  ///
  /// - Parameters:
  ///   - places: The expected parts of the message or warning.
  ///   - what: The description of the file, for test messages.
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
