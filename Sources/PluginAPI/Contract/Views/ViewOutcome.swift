/// What an event did to the state of a standard view; an event that meant nothing to it gives nil instead.
public enum ViewOutcome: Sendable, Hashable {
  /// The state changed, or the event was taken and changed nothing.
  case changed
  /// The thing of that id was chosen, by Enter or a double click.
  case chosen(String)
  /// More about the thing of that id was asked for, by its disclosure mark.
  case disclosed(String)
}
