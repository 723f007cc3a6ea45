import PluginAPI

/// The actions of the list of people.
enum PeopleAction: String, CaseIterable {
  case open
  case addPerson = "add-person"
  case addItem = "add-item"
  case enroll
  case search
  case settings
  case biography
  case duplicate
  case captureAll = "capture-all"
  case lightbox
  case deleteItem = "delete-item"
  case deletePerson = "delete-person"
  case connect
  case log
  case lock
  case item
  case find
  case page
  case select
}

/// The actions of the screen that opens the store.
enum UnlockAction: String, CaseIterable {
  case passphrase
  case keyFile = "key-file"
}

/// The actions of an item's card.
enum CardAction: String, CaseIterable {
  case flip
  case sensor
  case submodality
  case delete
  case lightbox
  case again
  case clear
  case steal
  case press
  case chooseLine = "choose-line"
}

/// The actions of the screen with one picture.
enum LightboxAction: String, CaseIterable {
  case next
  case previous
  case larger
  case smaller
  case whole
  case move
}

/// The actions of the set-up of an item.
enum WalkthroughAction: String, CaseIterable {
  case choose
  case back
  case look
  case line
  case check
  case done
  case type
}

/// The actions of the form with a person's details.
enum BiographyAction: String, CaseIterable {
  case edit
  case type
  case clear
  case undo
}

/// The actions of the picker for a day of birth.
enum DateAction: String, CaseIterable {
  case done
  case clear
  case type
}

/// The actions of the editor for notes.
enum NotesAction: String, CaseIterable {
  case keep
  case add
  case empty
}

/// The actions of the logs.
enum LogAction: String, CaseIterable {
  case verify
  case older
  case newer
  case other
  case reload
}

/// The actions of the settings.
enum SettingsAction: String, CaseIterable {
  case choose
  case cancel
}

extension ActionInvocation {
  /// Creates an invocation of an action without arguments.
  init<Action: RawRepresentable>(_ action: Action) where Action.RawValue == String { self.init(action.rawValue) }

  /// Returns the same invocation with an argument; without it if the value is nil.
  func with<Content>(_ argument: ScreenArgument<Content>, _ value: Content?) -> ActionInvocation {
    var copy = self
    copy.arguments[argument] = value
    return copy
  }
}
