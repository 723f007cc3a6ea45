import Testing

/// A hostile package, file or program of the corpus, and the code of the error that refuses or ends it.
struct HostileCase<Subject: Sendable>: Sendable, CustomTestStringConvertible {
  /// The attack.
  let label: String
  let code: String
  let subject: Subject
  /// A part of the message; nil if any will do.
  var message: String?

  init(_ label: String, _ code: String, _ subject: Subject, message: String? = nil) {
    (self.label, self.code, self.subject, self.message) = (label, code, subject, message)
  }

  /// Returns a Boolean value indicating whether a text has the part of the message.
  func isNamed(in text: String) -> Bool { message.map { text.contains($0) } ?? true }

  var testDescription: String { "\(label): \(code)" }
}
