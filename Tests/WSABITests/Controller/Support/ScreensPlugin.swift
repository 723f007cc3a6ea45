import PluginAPI
import PluginTesting
import Synchronization
import TestSupport

@testable import WSABI

/// The plugin's screens over a test's store, with sensors that only record their calls.
final class ScreensPlugin: Plugin {
  let folder: StoreFolder
  let records: RecordStore
  let sensors = RememberingSensors()
  let uses = Uses()
  /// The setting that cancels captures when their card is closed.
  let cancels = CancelSwitch()
  /// The sightings of locks held by other clients, as the station keeps them.
  let holds = Mutex(LockSightings())
  /// The screens opened so far, unless they were closed.
  @MainActor var screens: [OpenScreen] = []
  private let teller = Teller()
  private let switches = Mutex<[String: Bool]>(["log-keys": true, "log-text": false])

  init() throws {
    folder = try StoreFolder()
    let teller = teller
    var options = folder.options
    options.onChange = { changes in teller.tell(changes) }
    records = RecordStore(folder: folder.path, options)
  }

  struct OpenScreen {
    weak var driver: ScreenDriver?
  }

  /// Returns a plugin with an open store.
  static func opened() async throws -> ScreensPlugin {
    let plugin = try ScreensPlugin()
    try await plugin.records.create(StoreFolder.passphrase, user: "anna")
    return plugin
  }

  let identity = PluginIdentity(id: "wsabi", name: "WSABI", version: "0.1.0", summary: "screens")

  var parts: PluginParts {
    var parts = PluginParts(screens: WSABIScreens.parts { [station] _ in station })
    parts.topics =
      [
        TopicDescription(Station.recordsChanged, "changed", payload: .any),
        TopicDescription(Station.sensorNoted, "noted", payload: .any),
      ] + WSABIScreens.topics
    return parts
  }

  func activate(_ context: any PluginContext) throws { teller.context.withLock { $0 = .init(context: context) } }

  /// The station that screens use.
  private var station: ScreenStation {
    let switches = ["log-keys", "log-text"].map { name in
      ScreenSwitch(
        name: name, title: name == "log-keys" ? "Log keys" : "Log texts",
        isOn: { self.switches.withLock { $0[name] ?? false } },
        set: { value in self.switches.withLock { $0[name] = value } })
    }
    let (records, uses) = (records, uses)
    var station = ScreenStation(
      records: { records }, sensors: sensors.screen, now: { StoreFolder.time }, switches: switches)
    let cancels = cancels
    station.cancelsOnDismiss = { cancels.withLock { $0 } }
    station.interactions = { _ in [["2026-01-02T03:04:05Z", "command", "capture-card", "press", "item 1", ""]] }
    station.heldByAnother = { [weak self] address in self?.holds.withLock { $0[address] } }
    station.loginName = { "anna" }
    station.namedKeyFile = { "/keys/station.key" }
    station.onUse = { uses.state.withLock { $0.count += 1 } }
    station.onEvent = { event in uses.state.withLock { $0.events.append(event) } }
    return station
  }

  /// Publishes an event of a sensor.
  func note(_ payload: Value) { teller.context.withLock { $0.context }?.notify(Station.sensorNoted, payload) }

  /// Returns a person with items, the last of them captured if there is a picture.
  @discardableResult
  func add(_ name: String, _ items: [String] = [], capture: [UInt8]? = nil) async throws -> [BiometricItem] {
    let words = name.split(separator: " ").map(String.init)
    let biography = StoreSamples.biography(words.first ?? "", words.dropFirst().first ?? "")
    let person = try await records.addPerson(biography, at: StoreFolder.time)
    var added: [BiometricItem] = []
    for (index, word) in items.enumerated() {
      let device = StoreSamples.device("desk \(index + 1)", port: 8000 + index)
      added.append(try await records.addItem(StoreSamples.draft(person.id, word, device: device), at: StoreFolder.time))
    }
    if let capture, let last = added.last {
      try await records.sampleCapture(last.id, StoreSamples.uuid(1000 + last.id), capture)
    }
    return added
  }
}

/// A switch that tests set.
final class CancelSwitch: Sendable {
  private let state = Mutex(false)

  func withLock<Result>(_ body: (inout sending Bool) -> sending Result) -> Result { state.withLock(body) }
}

/// A recorder of the use of screens.
final class Uses: Sendable {
  struct State {
    var count = 0
    var events: [ScreenEvent] = []
  }

  let state = Mutex(State())

  /// Returns the events since the last call.
  func newEvents() -> [ScreenEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}

/// A publisher of changes that works like the station.
private final class Teller: Sendable {
  struct Place: Sendable {
    weak var context: (any PluginContext)?
  }

  let context = Mutex(Place())

  func tell(_ changes: Set<RecordChange>) {
    let people = changes.map { change -> Value in
      switch change {
      case .person(let person), .item(_, let person): .integer(person)
      case .journal, .users, .lock: .null
      }
    }
    let context = context.withLock { $0.context }
    for person in Set(people) { context?.notify(Station.recordsChanged, person) }
  }
}

/// Sensors that only record their calls.
final class RememberingSensors: Sendable {
  private let onLeave = Mutex<@Sendable () async -> Void>({})

  struct State {
    var calls: [String] = []
    var operations: [PendingOperation] = []
    var information: [String: ServiceInformation] = [:]
    var frames: [[UInt8]] = []
    var hasPreview = false
    var steals = OperationStatus.success
    /// The result of a search for sensors; nil if the search is not possible.
    var discovered: [DiscoveredSensor]? = []
  }

  let state = Mutex(State())

  /// Returns the calls since the last call of this function.
  func newCalls() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Has the release of all sensors begin with some work, such as a wait.
  func onLeave(_ work: @escaping @Sendable () async -> Void) { onLeave.withLock { $0 = work } }

  func add(_ call: String) { state.withLock { $0.calls.append(call) } }

  var screen: ScreenSensors {
    ScreenSensors(
      connect: { addresses in self.add("connect " + addresses.map(\.text).joined(separator: " ")) },
      configure: { order in self.add("configure \(order.item)") },
      capture: { items in for item in items { self.add("capture \(item.id)") } },
      cancelItem: { item in self.add("cancel item \(item)") },
      cancelOperation: { number in
        self.add("cancel operation \(number)")
        self.state.withLock { state in state.operations.removeAll { $0.number == number } }
      },
      operations: { self.state.withLock { $0.operations } },
      information: { address in
        self.add("ask \(address.text)")
        guard let information = self.state.withLock({ $0.information[address.text] }) else {
          throw ErrorReport(code: "wsabi.test", kind: .network, "nobody is there")
        }
        return information
      },
      steal: { address, cancels in
        self.add("steal \(address.text)\(cancels ? " and cancel" : "")")
        return self.state.withLock { $0.steals }
      },
      interrupt: { address in
        self.add("interrupt \(address.text)")
        return self.state.withLock { $0.steals }
      },
      preview: { _ in
        let frames = self.state.withLock { $0.hasPreview ? $0.frames : nil }
        guard let frames else { return nil }
        self.add("preview")
        return ScreenPreview { onFrame in
          for frame in frames { onFrame(frame) }
          try await untilCanceled()
        }
      },
      resume: { self.add($0 ? "fetch" : "resume") },
      leave: {
        let work = self.onLeave.withLock { $0 }
        await work()
        self.add("leave")
      },
      discover: { modality in
        self.add("discover \(modality.title)")
        guard let found = self.state.withLock({ $0.discovered }) else { throw DiscoveryError.offline }
        return found
      })
  }

  /// Returns the information of a service that captures a submodality.
  static func information(_ modality: String, _ submodality: String) -> ServiceInformation {
    func parameter(_ name: String, _ value: String) -> WireDictionary.Item {
      .init(
        name,
        .parameter(
          SensorParameter(
            name: name, type: "string", isReadOnly: true, supportsMultiple: false, defaultValue: .string(value),
            allowedValues: [])))
    }
    return ServiceInformation(
      WireDictionary([parameter("modality", modality), parameter("submodality", submodality)]), namespace: .bioserv)
  }
}
