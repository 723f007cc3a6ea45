/// A token or a password: shows itself nowhere unless its text is asked for.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself; for the wire and for the file that keeps it, nothing else.
  let text: String

  /// Creates a secret.
  init(_ text: String) {
    self.text = text
  }

  var description: String { "•••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
