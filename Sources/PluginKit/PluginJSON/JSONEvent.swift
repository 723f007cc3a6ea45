/// What is met in a document.
@frozen
public enum JSONEvent {
  /// An object begins.
  case beginObject
  /// The name of the value that follows, its escapes undone.
  case key(JSONText)
  /// An object ends.
  case endObject
  /// A list begins.
  case beginArray
  /// A list ends.
  case endArray
  /// A text, its escapes undone.
  case text(JSONText)
  /// A number as it is written, of any size.
  case number(JSONText)
  /// A truth value.
  case bool(Bool)
  /// Nothing.
  case null
  /// A value that was asked for by ``JSONFlow/raw``, byte for byte as it is written.
  case raw(JSONText)
}

/// What becomes of what follows.
@frozen
public enum JSONFlow: Sendable {
  /// It is handed over.
  case more
  /// No events come of the value behind this key, or of the rest of what begins here, its end included.
  case skip
  /// One ``JSONEvent/raw(_:)`` comes instead of the value behind this key, or of the rest of what begins here, its end
  /// included; the text has all of the value.
  case raw
}
