/// The outcome of an event in a standard view.
///
/// An event that the view does not handle gives nil instead.
public enum ViewOutcome: Sendable, Hashable {
  /// The state changed, or the event was handled without a change.
  case changed
  /// The item with an id was chosen, by Enter or a double click.
  case chosen(String)
  /// Details of the item with an id were requested, by its disclosure mark.
  case disclosed(String)
}
