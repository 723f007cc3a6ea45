/// An event in a document.
@frozen
public enum JSONEvent {
  /// An object begins.
  case beginObject
  /// The name of the value that follows, unescaped.
  case key(JSONText)
  /// An object ends.
  case endObject
  /// An array begins.
  case beginArray
  /// An array ends.
  case endArray
  /// A text, unescaped.
  case text(JSONText)
  /// A number as written, of any size.
  case number(JSONText)
  /// A Boolean value.
  case bool(Bool)
  /// Null.
  case null
  /// A value requested by ``JSONFlow/raw``, byte for byte as written.
  case raw(JSONText)
}

/// A handler's decision about the content that follows.
@frozen
public enum JSONFlow: Sendable {
  /// Report it as events.
  case more
  /// Skip the value of this key, or the rest of what begins here, including its end, without events.
  case skip
  /// Report a single ``JSONEvent/raw(_:)`` instead of the value of this key, or of the rest of what begins here,
  /// including its end; the text contains the complete value.
  case raw
}
