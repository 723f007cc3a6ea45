/// A token or a password, which is never printed unless its text is requested.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret itself, only for the network and for the file that stores it.
  let text: String

  /// Creates a secret.
  init(_ text: String) {
    self.text = text
  }

  var description: String { "•••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
