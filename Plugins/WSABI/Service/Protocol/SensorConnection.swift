import PluginNet
import Synchronization

/// Asks one service of WS-BD; any number of requests at once, each over a connection of its own.
final class SensorConnection: Sendable {
  let address: SensorAddress
  let limits: SensorLimits
  private let client: HTTPClient
  private let learnt = Mutex<ProtocolNamespace?>(nil)

  /// Creates a connection; nothing is asked yet.
  ///
  /// - Parameters:
  ///   - address: Where the service is.
  ///   - client: Asks, with the pins of the sensor's host if there are any. Redirects never leave the host, and nothing
  ///     is repeated but what may be.
  init(_ address: SensorAddress, _ client: HTTPClient, limits: SensorLimits = SensorLimits()) {
    self.address = address
    self.limits = limits
    var configuration = client.configuration
    configuration.staysOnHost = true
    configuration.repeatLimit = 0
    self.client = HTTPClient(configuration)
  }

  /// The namespace the service writes; nil before its first answer.
  var namespace: ProtocolNamespace? { learnt.withLock { $0 } }

  /// What the service says of itself.
  ///
  /// - Parameter deadlineInSeconds: The time for all of it.
  func serviceInformation(deadlineInSeconds: Double = 30) async throws(SensorFault) -> ServiceInformation {
    let answer = try await ask(SensorRequest(.getServiceInfo, deadlineInSeconds: deadlineInSeconds))
    return ServiceInformation(answer.metadata ?? WireDictionary(), namespace: answer.namespace)
  }

  /// Asks, and gives the answer, whatever its status.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - sink: Takes the decoded data of a download while it arrives, on one thread at a time. What it has is to be kept
  ///     only if the answer is a success; whoever made it abandons it otherwise.
  func ask(_ request: SensorRequest, into sink: (any DataSink)? = nil) async throws(SensorFault) -> SensorAnswer {
    throw SensorFault(.offline, .notSent, request.operation, host: address.host)
  }
}
