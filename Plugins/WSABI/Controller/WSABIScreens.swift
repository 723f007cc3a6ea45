import PluginAPI

/// The screens of this plugin; `workbench run wsabi` shows the first.
enum WSABIScreens {
  /// The notification after every change of the store.
  static let recordsTopic = "wsabi.records-changed"
  /// The payload of ``recordsTopic`` for a change by another process, which may concern any person.
  static let anybody = Station.anybody

  /// Returns true if a reported change concerns a person.
  static func isOf(_ person: Int?, _ notification: Notification) -> Bool {
    guard let person, let changed = notification.payload.integer else { return false }
    return changed == person || changed == anybody
  }

  /// The notification of every event at a sensor.
  static let sensorTopic = "wsabi.sensor-noted"
  /// The notification of a card whose sensor is to be changed; the list cleans up and opens the walkthrough.
  static let walkthroughTopic = "walkthrough-asked"

  static let topics = [
    TopicDescription(
      walkthroughTopic, "the sensor of an item shall be set up anew; item and step to begin at",
      payload: .record([
        .init("item", .integer, "the item's number"), .init("from", .text, "where the walkthrough begins"),
      ]))
  ]

  /// The error codes of the screens themselves.
  static let errorCodes = [
    ErrorCodeDescription("wsabi.locked-now", "the store was locked"),
    ErrorCodeDescription("wsabi.key-file-made", "the key file of a new store was made, and where"),
    ErrorCodeDescription("wsabi.gone", "what was shown was deleted meanwhile"),
    ErrorCodeDescription("wsabi.nothing-selected", "what was asked for needs a person or an item to be selected"),
    ErrorCodeDescription("wsabi.capturing-now", "something was asked for that has to wait for the end of a capture"),
    ErrorCodeDescription("wsabi.item-cleared", "a capture was cleared"),
    ErrorCodeDescription("wsabi.deleted", "a person or an item was deleted"),
    ErrorCodeDescription("wsabi.lock-taken", "the lock of a sensor was taken, or not given"),
    ErrorCodeDescription("wsabi.not-switched", "a setting could not be kept"),
    ErrorCodeDescription("wsabi.nobody-uses-it", "no item has the sensor that was asked about"),
    ErrorCodeDescription("wsabi.nothing-to-undo", "there is no change of the form to take back"),
    ErrorCodeDescription("wsabi.nothing-to-capture", "all items of a person are captured already, or under way"),
    ErrorCodeDescription("wsabi.date-expected", "a date is not written as year, month and day"),
  ]

  /// Returns the screens.
  ///
  /// - Parameter station: Makes the screens' access to the store and the sensors.
  static func parts(_ station: @escaping @Sendable (any PluginContext) -> ScreenStation) -> [ScreenPart] {
    func part(
      _ description: ScreenDescription,
      _ make: @escaping @MainActor @Sendable (ScreenRequest, ScreenStation) -> any Controller
    ) -> ScreenPart {
      ScreenPart(description) { request, context in
        let station = station(context)
        return WatchedController(make(request, station), request, station)
      }
    }
    return [
      part(PeopleController.description) { PeopleController($1) },
      part(UnlockController.description) { UnlockController($1) },
      part(CardController.description) { CardController($0, $1) },
      part(LightboxController.description) { LightboxController($0, $1) },
      part(WalkthroughController.description) { WalkthroughController($0, $1) },
      part(BiographyController.description) { BiographyController($0, $1) },
      part(DateController.description) { DateController($0, $1) },
      part(NotesController.description) { NotesController($0, $1) },
      part(LogController.description) { LogController($1) },
      part(SettingsController.description) { SettingsController($1) },
    ]
  }
}

extension Controller {
  /// Makes the effect of a confirmed deletion: asks in a sheet, then for the key once more.
  ///
  /// - Parameter action: Deletes, with the key that was entered.
  func confirm(
    _ question: String, _ choice: ChoiceRequest.Choice, key: String,
    then action: @escaping @MainActor @Sendable (Self, ScreenKey) -> [Effect]
  ) -> Effect {
    let choices = [ChoiceRequest.Choice(id: "keep", title: "Keep it"), choice]
    let request = ChoiceRequest(question, choices: choices, selected: "keep", isDestructive: true)
    return choose(request) { controller, answer in
      guard answer == choice.id else { return [] }
      let prompt = PromptRequest(key, isSecret: true)
      return [controller.ask(prompt) { $1.isEmpty ? [] : action($0, ScreenKey(typed: $1)) }]
    }
  }

  /// Makes an effect that has the store report who has a permission that its user lacks.
  func refuse(_ permission: Permission, _ station: ScreenStation) -> Effect {
    load("refuse", "asking") { _ in
      try await station.check(permission)
    } then: { _, _ in
    }
  }
}
