import PluginAPI

/// Why an image cannot be shown; addresses in it never have a token.
enum ImageFetchError: Error, Equatable, ReportableError {
  /// The address is none of the web, such as `ftp:`.
  case badAddress(String)
  /// The server has no image there.
  case status(Int, address: String)
  /// A page came instead; what it says, if it is one of a data store.
  case page(address: String, reason: String = "")
  /// What came is no image that is known.
  case noImage(address: String)
  /// It is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// It could not be fetched.
  case failed(address: String, reason: String)
  /// The user asked for no network.
  case offline(address: String)

  /// The reason in a few words, for the place where the image would be.
  var reason: String {
    switch self {
    case .badAddress: "its address is not one of http or https"
    case .status(let status, _): "the server answered with status \(status)"
    case .page(_, let reason): reason.isEmpty ? "a page came instead of an image" : "the data store says: \(reason)"
    case .noImage: "what came is no image that is known"
    case .tooLarge(_, let limit): "it is larger than \(limit >> 20) MiB"
    case .failed(_, let reason): reason
    case .offline: "the network is switched off"
    }
  }

  private var address: String {
    switch self {
    case .badAddress(let address), .status(_, let address), .page(let address, _), .noImage(let address),
      .tooLarge(let address, _), .failed(let address, _), .offline(let address):
      address
    }
  }

  var report: ErrorReport {
    let isOffline = if case .offline = self { true } else { false }
    return ErrorReport(
      code: isOffline ? "openbis.image-offline" : "openbis.image-missing", kind: .network,
      "the image '\(address)' cannot be shown: \(reason)",
      advice: isOffline ? "leave out --offline" : "ask who runs the server if it should be there",
      details: ["address": .text(address)]
    ).harmless
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.image-missing", "an image could not be fetched, or is no image"),
    .init("openbis.image-offline", "an image is needed from the network, which is switched off"),
  ]
}
