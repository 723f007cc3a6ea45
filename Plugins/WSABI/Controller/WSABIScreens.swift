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

  static let all = [
    ScreenDescription(
      "people", title: "People", summary: "people and what is captured of them", actions: PeopleController.actions,
      topics: [recordsTopic, sensorTopic, "wsabi.\(walkthroughTopic)"]),
    ScreenDescription(
      "unlock", title: "WSABI", summary: "opens the store, or makes one", actions: UnlockController.actions,
      topics: [recordsTopic]),
    ScreenDescription(
      "card", title: "Capture", summary: "captures one item, shows it, and says what is wrong with it",
      actions: CardController.actions, topics: [recordsTopic, sensorTopic]),
    ScreenDescription(
      "lightbox", title: "Picture", summary: "shows one capture over the whole screen",
      actions: LightboxController.actions, topics: [recordsTopic]),
    ScreenDescription(
      "walkthrough", title: "Sensor", summary: "what is captured, how, and with which sensor",
      actions: WalkthroughController.actions, topics: [recordsTopic]),
    ScreenDescription(
      "biography", title: "Person", summary: "what is said of a person", actions: BiographyController.actions,
      topics: [recordsTopic]),
    ScreenDescription(
      "date", title: "Date of birth", summary: "picks a day of birth", actions: DateController.actions,
      topics: [recordsTopic]),
    ScreenDescription(
      "notes", title: "Notes", summary: "writes notes of several lines", actions: NotesController.actions,
      topics: [recordsTopic]),
    ScreenDescription(
      "log", title: "Log", summary: "who did what in the store, and whether that is as it was written",
      actions: LogController.actions, topics: [recordsTopic]),
    ScreenDescription(
      "settings", title: "Settings", summary: "sensors, what is under way, and what is logged",
      actions: SettingsController.actions, topics: [recordsTopic]),
  ]

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

  @MainActor static func controller(
    _ request: ScreenRequest, _ station: ScreenStation
  ) throws -> any Controller {
    let controller: any Controller =
      switch request.screen {
      case "people": PeopleController(station)
      case "unlock": UnlockController(station)
      case "card": CardController(request, station)
      case "lightbox": LightboxController(request, station)
      case "walkthrough": WalkthroughController(request, station)
      case "biography": BiographyController(request, station)
      case "date": DateController(request, station)
      case "notes": NotesController(request, station)
      case "log": LogController(station)
      case "settings": SettingsController(station)
      default: throw MissingPart.screen(request.screen)
      }
    return WatchedController(controller, request, station)
  }
}

extension ScreenStation {
  /// The effects of a screen with records when the store is locked; nil while it is open.
  ///
  /// No content remains visible.
  @MainActor var leaving: [Effect]? { isLocked ? [.replace(ScreenRequest("unlock"))] : nil }
}
