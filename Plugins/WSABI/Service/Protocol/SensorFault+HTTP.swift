import PluginAPI
import PluginNet

extension SensorFault {
  /// Creates a fault from an error of the transfer.
  init(_ error: any Error, _ operation: SensorOperation, address: String) {
    let (kind, reach) = Self.parts(error)
    self.init(kind, reach, operation, address: address)
  }

  private static func parts(_ error: any Error) -> (Kind, Reach) {
    switch error {
    case let kind as Kind: (kind, .answered)
    case is CancellationError: (.cancelled, .unknown)
    case let error as HTTPError: parts(error)
    default: (.failed(reason: "it was not carried out"), .unknown)
    }
  }

  private static func parts(_ error: HTTPError) -> (Kind, Reach) {
    switch error {
    case .offline: (.offline, .notSent)
    case .badAddress: (.unaskable(reason: "its address is none of the web"), .notSent)
    case .unknownHost: (.unreachable(reason: "the name of its host is not known"), .notSent)
    case .notConnected(_, let reason): (.unreachable(reason: reason), .notSent)
    case .notTrusted(_, let reason): (.notTrusted(reason: reason), .notSent)
    case .otherKey: (.otherKey, .notSent)
    case .libraryMissing: (.failed(reason: error.report.message), .notSent)
    case .timedOut(_, let seconds): (.timedOut(seconds: seconds), .unknown)
    case .cutShort(_, let reason): (.cut(reason: reason), .unknown)
    case .protocolRefused: (.redirected(target: ""), .answered)
    case .redirectedElsewhere(_, let target): (.redirected(target: target), .answered)
    case .tooManyRedirects: (.redirected(target: ""), .answered)
    case .tooLarge(_, let limit): (.tooLarge(limitInBytes: limit), .answered)
    case .damaged(_, let reason): (.malformed(reason: reason), .answered)
    case .status(let status, _, _): (.status(status), .answered)
    case .failed(_, let reason): (.failed(reason: reason), .unknown)
    }
  }
}
