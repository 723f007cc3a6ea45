import PluginText

@testable import WSABI
@testable import WSABISimulator

/// A situation of the conformance catalog that the product's client plays with a simulated sensor: the requests, the
/// required results, and the final state.
///
/// A step is `CLIENT VERB [ARGUMENT] = OUTCOME`, as in `A lock = success`, which is also the default outcome. Each
/// client is a `SensorConnection` of its own, `M` a `LinkManager` that captures for an item; `X` has an unknown id, `?`
/// one that is not a UUID, which the client must never send. `start` before a step leaves it running until `await
/// CLIENT = OUTCOME`. `fault`, `heal`, `clock`, `busy`, `frozen`, `frames`, `release`, `break` and `restart` act on the
/// simulator. The other steps are observations, such as `holder = A`: see ``ClientLook``. After a bar follows the
/// result in Java's manner if it differs.
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

  /// The steps that observe the state.
  var looks: [String] { steps.filter { ClientLook($0.firstWord) != nil } }

  /// Plays the situation and returns the violated requirements.
  func problems(_ namespace: ProtocolNamespace, _ style: SimulatorConfiguration.Style) async throws -> [String] {
    var configuration = SimulatorConfiguration(
      namespace: namespace.simulated, style: style, seed: 7, modalities: [.finger], framesPerSecond: 200,
      hasStillClock: true)
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

/// An observation between the steps of a ``ClientPlay``.
enum ClientLook: String {
  /// The holder of the lock: a client, or `none`.
  case holder
  /// The owners of the sessions, or `none`.
  case registered
  /// The state of the sensor: `ready`, at `rest` or `broken`.
  case sensor
  /// The sensor's current work: the word of an operation, or `nothing`.
  case working
  /// The sensor's configuration, as in `set gain = 3`; `nothing` if it was not set.
  case set
  /// The number of captures that the sensor made.
  case ledger
  /// The number of times that their full data was sent.
  case downloads
  /// The number of requests for an operation that reached the service, as in `asked capture = 1`.
  case asked
  /// The last response's value for a key, as in `told width = 96`; `nothing` if it has none.
  case told
  /// The range in the last response for a key.
  case range
  /// The data received last: `whole` as in the ledger, `smaller`, or `nothing`.
  case data
  /// The content type received last.
  case type
  /// `same` if the last response has everything that was sent as a configuration, types included.
  case back
  /// The status of the sensor in the service's word.
  case says
  /// The number of captures in the journal of `M`, each matching the ledger.
  case kept

  init?(_ word: String) { self.init(rawValue: word) }
}

extension StringProtocol {
  /// The text before the first blank.
  var firstWord: String { String(prefix { $0 != " " }) }
}
