import PluginText

@testable import WSABI

/// A situation of the conformance catalogue that the product's client plays with a simulated sensor: what is asked, what
/// must come of it, and how things must stand behind it.
///
/// A step is `CLIENT VERB [ARGUMENT] = OUTCOME`, as in `A lock = success`, which is also meant where nothing is said. Each
/// client is a `SensorConnection` of its own, `M` a `LinkManager` that captures for an item; `X` has an id nobody has, `?`
/// one that is no UUID, which the client must never send. `start` before a step lets it run on until
/// `await CLIENT = OUTCOME`. `fault`, `heal`, `clock`, `busy`, `frozen`, `frames`, `release`, `break` and `restart` act on
/// the simulator. The other steps are looks, such as `holder = A`: see ``ClientLook``. Behind a bar stands what must come
/// in Java's manner where it differs.
struct ClientPlay: Sendable {
  let name: String
  let steps: [String]
  let change: @Sendable (inout SimulatorConfiguration) -> Void

  init(
    _ name: String, _ steps: String...,
    with change: @escaping @Sendable (inout SimulatorConfiguration) -> Void = { _ in }
  ) {
    (self.name, self.change) = (name, change)
    self.steps = steps.flatMap { $0.split(separator: ";").map { $0.trimmed() } }.filter { !$0.isEmpty }
  }

  /// The steps that look how things stand.
  var looks: [String] { steps.filter { ClientLook($0.firstWord) != nil } }

  /// Plays it and gives what was not as it must be.
  func problems(_ namespace: ProtocolNamespace, _ style: SimulatorConfiguration.Style) async throws -> [String] {
    var configuration = SimulatorConfiguration(
      namespace: namespace, style: style, seed: 7, modalities: [.finger], framesPerSecond: 200, hasStillClock: true)
    change(&configuration)
    let simulator = try SensorSimulator(configuration)
    var player = try ClientPlayer(simulator)
    var problems: [String] = []
    for step in steps {
      if let problem = await player.play(step) { problems.append("\(name): \(step): \(problem)") }
    }
    await player.end()
    await simulator.stop()
    return problems
  }
}

/// What is looked at between the steps of a ``ClientPlay``.
enum ClientLook: String {
  /// Who has the lock: a client, or `none`.
  case holder
  /// Whose sessions there are, or `none`.
  case registered
  /// Whether the sensor is `ready`, at `rest` or `broken`.
  case sensor
  /// What the sensor does: the word of an operation, or `nothing`.
  case working
  /// What the sensor is set to, as in `set gain = 3`; `nothing` if it was not told.
  case set
  /// How many captures the sensor made.
  case ledger
  /// How often their data was sent off whole.
  case downloads
  /// How often an operation reached the service, as in `asked capture = 1`.
  case asked
  /// What the last answer says of a key, as in `told width = 96`; `nothing` if it does not.
  case told
  /// The range the last answer gives for a key.
  case range
  /// The data that came last: `whole` as in the ledger, `smaller`, or `nothing`.
  case data
  /// The content type that came last.
  case type
  /// Whether the last answer has all that was sent as a configuration, type by type: `same`.
  case back
  /// The status of the sensor in the service's word.
  case says
  /// How many captures the journal of `M` has, each as it is in the ledger.
  case kept

  init?(_ word: String) { self.init(rawValue: word) }
}

extension StringProtocol {
  /// What stands before the first blank.
  var firstWord: String { String(prefix { $0 != " " }) }
}
